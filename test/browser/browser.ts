// One real Chromium for all browser tests: it comes from npm, unpacked once, and ends with the tests.

import { after } from 'node:test';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

let running: Promise<Browser> | null = null;

export function theBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** Not the arguments that its package proposes: some of them are for a machine that freezes between requests. */
const launch = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });

after(async () => {
  if (running) await (await running).close();
});
