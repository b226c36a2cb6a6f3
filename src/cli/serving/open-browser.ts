// Opens a browser for the person who started the server; where there is none, nothing happens. The address holds a token, and
// every user of this machine can see the arguments of programs: so the browser is given a file that leads there.

import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../store/location.ts';

const redirectPath = (place: Place): string => join(place.run, 'open.html');

/** Returns what takes the file away again. */
export function openBrowser(place: Place, address: string): () => void {
  const path = redirectPath(place);
  const removeFile = (): void => rmSync(path, { force: true });
  removeFile(); // a mode is given to a new file only
  writeFileSync(path, redirectTo(address), { mode: 0o600, flag: 'wx' });
  void startBrowser(path);
  return removeFile;
}

/** Whether there is one. */
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
