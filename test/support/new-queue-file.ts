// A SQLite queue that nobody has used yet: each test file makes one and copies it, which costs a tenth of the migrations.

import fs from 'node:fs';
import path from 'node:path';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { newFolder, removeFolder } from './folder.ts';

let made: Promise<Buffer> | null = null;

/** Does nothing if the file exists. */
export async function makeQueueFile(file: string): Promise<void> {
  if (fs.existsSync(file)) return;
  made ??= migratedFile();
  const bytes = await made;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, bytes, { mode: 0o600 });
}

async function migratedFile(): Promise<Buffer> {
  const folder = newFolder();
  try {
    const file = path.join(folder, 'queue.db');
    const store = await openSqlite(file, { wakePath: path.join(folder, 'wake') });
    await store.close();
    return fs.readFileSync(file);
  } finally {
    removeFolder(folder);
  }
}
