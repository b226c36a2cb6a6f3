// The two engines mirror the port: whoever has found a noun in one of the three folders has found it in all of them.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository } from '../setup/clone.ts';

const store = path.join(repository, 'src', 'store');
const filesIn = (folder: string): string[] => fs.readdirSync(path.join(store, folder));

/** A lease has no methods of its own. */
const nouns = filesIn('port').filter((file) => file !== 'lease.ts');

for (const engine of ['sqlite', 'postgres']) {
  test(`every noun of the port has its file in ${engine}/`, () => {
    assert.deepEqual(
      nouns.filter((file) => !filesIn(engine).includes(file)),
      [],
    );
  });
}

test('what one engine has, the other has too, unless it is about the engine itself', () => {
  const [sqlite, postgres] = [filesIn('sqlite'), filesIn('postgres')];
  assert.deepEqual(
    sqlite.filter((file) => !postgres.includes(file)),
    [],
  );
});

test('the door names every noun of the port', () => {
  const door = fs.readFileSync(path.join(store, 'store.ts'), 'utf8');
  for (const file of filesIn('port'))
    assert.match(door, new RegExp(`'\\./port/${file.replace('.', '\\.')}'`));
});
