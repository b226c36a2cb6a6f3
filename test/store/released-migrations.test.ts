// Databases of users have run the migrations of every release, so an edited migration would leave two different schemas with
// the same number.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { MIGRATIONS as POSTGRES, SCHEMA_VERSION as POSTGRES_VERSION } from '../../src/store/postgres/migrate.ts';
import type { Migration } from '../../src/store/sql/migration.ts';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrate.ts';
import { MIGRATIONS as SQLITE } from '../../src/store/sqlite/migrations/all.ts';

/** The last schema of each release, and the digests of all its migrations. Add a line for each release that has more. */
const RELEASES = [
  {
    version: '1.0.0',
    schema: 12,
    sqlite: '0610095ca17e87deb586275e6618b9c2f5bfbc28fd0f997d47033b809e736263',
    postgres: 'c72f089377cc33e6c6501db2ea0fbfa45a2234b6dede4a6e9778e11ccc00b163',
  },
] as const;

const digestOf = (migrations: readonly Migration[], schema: number): string =>
  migrations
    .slice(0, schema)
    .reduce(
      (hash, { version, name, sql }) => hash.update(`${version} ${name} ${wordsOf(sql('queue'))}\n`),
      createHash('sha256'),
    )
    .digest('hex');

/** Indentation does not count. */
const wordsOf = (sql: string): string => sql.trim().replace(/\s+/g, ' ');

for (const { version, schema, sqlite, postgres } of RELEASES) {
  test(`the migrations of ${version} are unchanged`, () => {
    const advice = 'write a new migration instead of editing a released one';
    assert.equal(digestOf(SQLITE, schema), sqlite, advice);
    assert.equal(digestOf(POSTGRES, schema), postgres, advice);
  });
}

test('both databases have the same migrations, numbered in order', () => {
  const named = (migrations: readonly Migration[]) => migrations.map(({ version, name }) => `${version} ${name}`);
  assert.deepEqual(named(SQLITE), named(POSTGRES));
  assert.deepEqual(
    SQLITE.map(({ version }) => version),
    Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1),
  );
  assert.equal(POSTGRES_VERSION, SCHEMA_VERSION);
});
