// The standard input of one attempt, as an unlinked file. Unlike a pipe, it is complete from the start even if the
// worker dies, and blocks nothing if the job does not read it.

import { closeSync, openSync, rmSync } from 'node:fs';
import { openInFolder, writeAll } from '../../system/files.ts';

/** Returns a descriptor positioned at the first byte. The file at `path` is unlinked immediately. */
export function openInput(path: string, data: Uint8Array): number {
  try {
    const fd = openInFolder(path, 'wx');
    try {
      writeAll(fd, data, 0);
    } finally {
      closeSync(fd);
    }
    return openSync(path, 'r');
  } finally {
    rmSync(path, { force: true });
  }
}
