// Creates and opens files in directories that other users may be able to write to. Symbolic links are not followed, and
// files that another user owns or can write to are rejected. Otherwise another user could choose the file that a worker
// overwrites.

import { closeSync, constants, fstatSync, openSync, rmSync } from 'node:fs';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Replaces whatever has this name with a new, empty file that only its owner can read. Returns the open file. */
export function newOwnFile(path: string, flags: 'wx' | 'wx+' = 'wx'): number {
  rmSync(path, { force: true });
  return openSync(path, flags, 0o600);
}

/** Opens a file for appending, and creates it if it does not exist. */
export function openOwnFile(path: string): number {
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const { uid, mode, nlink } = fstatSync(fd);
  const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
  if (isFile && nlink === 1 && uid === process.getuid?.() && (mode & 0o022) === 0) return fd;
  closeSync(fd);
  throw new Error(`'${path}' is not a file of this user that only this user can write to`);
}

/** Creates an empty file if nothing has this name. Follows no link, and opens nothing that exists. */
export function ensureOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
