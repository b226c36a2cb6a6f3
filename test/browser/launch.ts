// Starts a real Chromium, which comes from npm.

import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Not the arguments that its package proposes: some of them are for a machine that freezes between requests. */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
