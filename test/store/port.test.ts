// Each noun of the port is implemented under its own name: once in shared/, or in every engine.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository } from '../setup/clone.ts';

const store = path.join(repository, 'src', 'store');
const filesIn = (folder: string): string[] => fs.readdirSync(path.join(store, folder));
const shared = filesIn('shared');

/** A lease has no methods of its own. */
const nouns = filesIn('port').filter((file) => file !== 'lease.ts');

for (const engine of ['sqlite', 'postgres']) {
  test(`every noun of the port has its file in shared/ or in ${engine}/`, () => {
    const files = [...shared, ...filesIn(engine)];
    assert.deepEqual(
      nouns.filter((file) => !files.includes(file)),
      [],
    );
  });
}

test('a file of one engine has its counterpart in the other', () => {
  const postgres = [...filesIn('postgres'), ...filesIn('postgres/session')];
  assert.deepEqual(
    filesIn('sqlite').filter((file) => !postgres.includes(file)),
    [],
  );
});

test('the index exports every noun of the port', () => {
  const door = fs.readFileSync(path.join(store, 'store.ts'), 'utf8');
  for (const file of filesIn('port')) assert.match(door, new RegExp(`'\\./port/${file.replace('.', '\\.')}'`));
});
