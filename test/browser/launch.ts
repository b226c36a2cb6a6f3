// Starts a real Chromium from npm.

import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** The package's default arguments are for serverless hosts that freeze between requests. */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
