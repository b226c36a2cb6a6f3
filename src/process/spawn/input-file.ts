// The standard input of one attempt: a file that has lost its name. Unlike a pipe it is whole from the first moment on,
// whatever becomes of the worker, and a job that does not read it holds nobody up.

import { closeSync, openSync, rmSync } from 'node:fs';
import { openInFolder, writeAll } from '../../system/files.ts';

/** An open file from which the data can be read, from its first byte on. `path` is only needed for a moment. */
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
