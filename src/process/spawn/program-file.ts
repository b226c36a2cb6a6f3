// Where a program is that is named as a shell would name it: looked up in the PATH it is to run with, from its own folder.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** What the system itself takes when there is no PATH. */
const USUAL_PATH = '/usr/local/bin:/bin:/usr/bin';

/** null: there is none, or none that may be run. */
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

/** Without symbolic links on the way; null: there is no such folder here. */
export function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
