// Finding the programs that confine others, in the PATH of the worker: a job that brings a PATH of its own must not choose what
// it is confined by.

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Where they are on a system whose worker has a short PATH. */
const USUAL = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** null: it is not there, or may not be run. */
export function findProgram(name: string, path: string | undefined = process.env.PATH): string | null {
  const folders = path === undefined ? USUAL : path.split(':').filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
