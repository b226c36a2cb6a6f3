// A queue in a real file, in a folder of its own.

import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { StorePlace } from '../contract/bench.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { makeQueueFile } from '../support/new-queue-file.ts';

export function sqlitePlace(): StorePlace {
  const folder = newFolder();
  const file = path.join(folder, 'queue.db');
  return {
    open: async (clock) => {
      await makeQueueFile(file);
      return openSqlite(file, { wakePath: path.join(folder, 'run', 'wake'), clock });
    },
    empty: async (table) => {
      const db = new DatabaseSync(file);
      db.exec(`DELETE FROM ${table}`);
      db.close();
    },
    remove: () => removeFolder(folder),
  };
}
