// The files of the dashboard, as scripts/build-page.ts writes them: in a directory, or in a single executable.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BuiltPage {
  /** Paths such as index.html and assets/page-1234.js. */
  names(): readonly string[];
  read(name: string): Uint8Array<ArrayBuffer>;
}

export const pageIn = (folder: string): BuiltPage => ({
  names: () => readdirSync(folder, { recursive: true }) as string[],
  read: (name) => readFileSync(join(folder, name)),
});
