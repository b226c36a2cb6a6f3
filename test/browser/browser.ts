// One real Chromium from npm for all browser tests. It is unpacked once and stops with the tests.

import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './launch.ts';

let running: Promise<Browser> | null = null;

export function theBrowser(): Promise<Browser> {
  running ??= launchBrowser();
  return running;
}

after(async () => {
  if (running) await (await running).close();
});
