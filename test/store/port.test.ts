// The two engines mirror the port: whoever has found a noun in one of the three folders has found it in all of them.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository } from '../setup/clone.ts';

const store = path.join(repository, 'src', 'store');
const filesIn = (folder: string): string[] => fs.readdirSync(path.join(store, folder));

/** Nouns without methods of their own, and what an engine may do without: a file of one host needs no copies of logs. */
const EXEMPT: Record<string, readonly string[]> = {
  sqlite: ['lease.ts', 'outputs.ts'],
  postgres: ['lease.ts'],
};

for (const [engine, exempt] of Object.entries(EXEMPT)) {
  test(`every noun of the port has its file in ${engine}/`, () => {
    const missing = filesIn('port').filter((file) => !filesIn(engine).includes(file));
    assert.deepEqual(
      missing.filter((file) => !exempt.includes(file)),
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
