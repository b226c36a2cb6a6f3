// A folder of a test's own, gone when the test ends.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

export function temporaryFolder(t: Ending): string {
  const folder = newFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

export const newFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'queuectl test '));
export const removeFolder = (folder: string): void => fs.rmSync(folder, { recursive: true, force: true });
