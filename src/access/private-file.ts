// Files that only their owner may read. They are created atomically, and rejected if others could have read or written
// them.

import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { newOwnFile } from '../system/own-file.ts';

/** Throws an error about the file. */
export type Fail = (problem: string) => never;

/** If two processes create it, the first one wins. An interrupted start leaves no empty file. */
export function makePrivateFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = newOwnFile(fresh);
  try {
    writeFileSync(file, text, { flush: true });
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(fresh, { force: true });
  }
}

/** Returns null if the file does not exist. */
export function readPrivateFile(path: string, fail: Fail): string | null {
  const file = opened(path, fail);
  if (file === null) return null;
  try {
    const stats = fstatSync(file);
    const { mode, uid } = stats;
    if (!stats.isFile()) fail('not a regular file');
    if (uid !== process.getuid?.()) fail('the file belongs to another user');
    if ((mode & 0o077) !== 0) fail('other users can read the file');
    return readFileSync(file, 'utf8').trim();
  } finally {
    closeSync(file);
  }
}

function opened(path: string, fail: Fail): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : fail(message);
  }
}
