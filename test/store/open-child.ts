// Opens the database that each line of its input names, and says how that went. Started by tests, several at once.

import { createInterface } from 'node:readline';
import { openSqlite } from '../../src/store/sqlite/store.ts';

console.log('ready');
for await (const path of createInterface({ input: process.stdin })) {
  try {
    const store = await openSqlite(path, { wakePath: `${path}.wake` });
    await store.close();
    console.log('opened');
  } catch (error) {
    console.log(`failed: ${(error as Error).message}`);
  }
}
