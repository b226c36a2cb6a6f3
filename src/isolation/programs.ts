// Finds the wrapper programs in the worker's PATH, so that a job's PATH cannot replace them.

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Fallback directories for a worker with a short PATH. */
const USUAL = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Returns null if there is no executable file of this name. */
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
