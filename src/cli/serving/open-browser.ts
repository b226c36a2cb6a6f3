// Opens the dashboard in a browser, if there is one. The URL contains a token, and every user of the host can see the
// arguments of processes, so the browser opens a private file that redirects to the URL.

import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../store/location.ts';

const redirectPath = (place: Place): string => join(place.run, 'open.html');

/** Returns a function that deletes the file. */
export function openBrowser(place: Place, address: string): () => void {
  const path = redirectPath(place);
  const removeFile = (): void => rmSync(path, { force: true });
  removeFile(); // the mode applies only to new files
  writeFileSync(path, redirectTo(address), { mode: 0o600, flag: 'wx' });
  void startBrowser(path);
  return removeFile;
}

/** Resolves to whether a browser was started. */
export function startBrowser(path: string): Promise<boolean> {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const browser = spawn(program, [path], { stdio: 'ignore', detached: true });
  browser.unref();
  return new Promise((resolve) => {
    browser.once('error', () => resolve(false));
    browser.once('spawn', () => resolve(true));
  });
}

const redirectTo = (address: string): string =>
  `<!doctype html><meta charset="utf-8"><title>queuectl</title><meta http-equiv="refresh" content="0;url=${address}">\n`;
