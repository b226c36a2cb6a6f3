// A queue in a real file, in a folder of its own.

import path from 'node:path';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { StorePlace } from '../contract/bench.ts';
import { newFolder, removeFolder } from '../support/folder.ts';

export function sqlitePlace(): StorePlace {
  const folder = newFolder();
  return {
    open: (clock) =>
      openSqlite(path.join(folder, 'queue.db'), { wakePath: path.join(folder, 'run', 'wake'), clock }),
    remove: () => removeFolder(folder),
  };
}
