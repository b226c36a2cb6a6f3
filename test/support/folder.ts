// A folder of a test's own, gone when the test ends.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Names where the folders of a whole run are made; it may be a place of yours. */
export const PLACE = 'QUEUECTL_TEST_FOLDER';

/** Names where a whole run keeps which commands have been started as programs. */
export const STARTED = 'QUEUECTL_TEST_STARTED';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

export function temporaryFolder(t: Ending, name?: string): string {
  const folder = newFolder(name);
  t.after(() => removeFolder(folder));
  return folder;
}

/** Its path has spaces in it, throughout. */
export const newFolder = (name = 'queuectl test '): string =>
  fs.mkdtempSync(path.join(process.env[PLACE] ?? os.tmpdir(), name));

export const removeFolder = (folder: string): void => fs.rmSync(folder, { recursive: true, force: true });
