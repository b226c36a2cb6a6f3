// Finds a program like a shell: in the PATH that it will run with, relative to its working directory.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The system default if PATH is unset. */
const USUAL_PATH = '/usr/local/bin:/bin:/usr/bin';

/** Returns null if there is no executable file of this name. */
export function programFile(name: string, path: string | undefined, cwd: string): string | null {
  if (name.includes('/')) return resolve(cwd, name);
  const folders = (path ?? USUAL_PATH).split(':');
  return folders.map((folder) => resolve(cwd, folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Resolves symbolic links. Returns null if the directory does not exist. */
export function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
