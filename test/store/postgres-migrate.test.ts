// From an empty database to a queue, by whoever comes first; and no further than this program knows the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCHEMA_VERSION } from '../../src/store/postgres/migrate.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { makeBench } from '../contract/bench.ts';
import { newJob } from '../support/jobs.ts';
import { addressWith, ask } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';
import { expectVersionOne, versionOne } from './version-1.ts';

type TestContext = Parameters<NonNullable<Parameters<typeof test>[0]>>[0];

async function place(t: TestContext, schema?: string): Promise<PostgresPlace> {
  const made = await postgresPlace(schema);
  t.after(() => made.remove());
  return made;
}

test('concurrent starts migrate once, and all of them find a queue', async (t) => {
  const { url, server, schema } = await place(t);
  const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgres(url)));
  await Promise.all(stores.map((store, i) => store.enqueue([newJob(`j${i}`)])));
  const rows = await ask(server, `SELECT version FROM ${quoted(schema)}.migrations`);
  assert.equal(rows.length, SCHEMA_VERSION);
  assert.equal((await stores[0]?.overview())?.queues[0]?.counts.pending, 8);
  for (const store of stores) await store.close();
});

test('a schema may have any name, and two schemas are two queues', async (t) => {
  const names = ['Ünï "x"', `it's; DROP TABLE jobs; --`, 'back\\slash $queuectl$', 'x'.repeat(63)];
  for (const name of names) {
    const { url } = await place(t, name);
    const store = await openPostgres(url);
    let heard = 0;
    const stop = store.onWake(() => heard++);
    await store.enqueue([newJob('a')]);
    assert.equal((await store.overview()).queues[0]?.counts.pending, 1, name);
    assert.deepEqual(await store.check(), [], name);
    stop();
    await store.close();
  }
});

test('a queue of version 1 with jobs in every state is upgraded without loss', async (t) => {
  const { url, server } = await place(t, `version one ${process.pid}`);
  const schema = quoted(`version one ${process.pid}`);
  const script = versionOne('postgres').replaceAll('"queuectl".', `${schema}.`);
  await ask(server, `CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${script}`);
  const store = await openPostgres(url);
  t.after(() => store.close());
  await expectVersionOne(store);
  const versions = await ask(server, `SELECT version FROM ${schema}.migrations`);
  assert.equal(versions.length, SCHEMA_VERSION);
});

test('a newer schema is rejected and left unchanged', async (t) => {
  const { url, server, schema } = await place(t);
  await (await openPostgres(url)).close();
  await ask(server, `INSERT INTO ${quoted(schema)}.migrations VALUES (99, 'future', 0)`);
  const { message } = await rejection('store_too_new', () => openPostgres(url));
  assert.match(message, /has schema version 99/);
});

test('tables of another program are left unchanged', async (t) => {
  const { url, server, schema } = await place(t);
  await ask(server, `CREATE SCHEMA ${quoted(schema)}`);
  await ask(server, `CREATE TABLE ${quoted(schema)}.jobs (id int)`);
  await rejection('store_not_a_database', () => openPostgres(url));
  assert.deepEqual(await ask(server, `SELECT * FROM ${quoted(schema)}.jobs`), []);
});

test('reading commands create no schema', async (t) => {
  const { url, server, schema } = await place(t);
  await rejection('queue_not_found', () => openPostgres(url, { create: false }));
  assert.deepEqual(await ask(server, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]), []);
});

test('a role without CREATE uses an existing queue, and gets an error if there is none', async (t) => {
  const { url, server, schema } = await place(t);
  const role = `clerk_${process.pid}`;
  await ask(server, `CREATE ROLE ${role} LOGIN PASSWORD 'clerk'`);
  t.after(async () => {
    await ask(server, `DROP OWNED BY ${role} CASCADE`);
    await ask(server, `DROP ROLE ${role}`);
  });
  const theirs = new URL(url);
  theirs.username = role;
  theirs.password = 'clerk';
  await rejection('store_forbidden', () => openPostgres(theirs.href));
  await (await openPostgres(url)).close();
  for (const grant of [
    `USAGE ON SCHEMA ${quoted(schema)}`,
    `SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quoted(schema)}`,
    `USAGE ON ALL SEQUENCES IN SCHEMA ${quoted(schema)}`,
  ]) {
    await ask(server, `GRANT ${grant} TO ${role}`);
  }
  const store = await openPostgres(theirs.href);
  await store.enqueue([newJob('a')]);
  await store.reset();
  assert.deepEqual(await store.check(), []);
  await store.close();
});

test('a read-only role can read, and gets an error for other operations', async (t) => {
  const { url, server, schema } = await place(t);
  const role = `visitor_${process.pid}`;
  const owner = await openPostgres(url);
  t.after(() => owner.close());
  await owner.enqueue([newJob('a')]);
  await ask(server, `CREATE ROLE ${role} LOGIN PASSWORD 'visitor'`);
  t.after(async () => {
    await ask(server, `DROP OWNED BY ${role} CASCADE`);
    await ask(server, `DROP ROLE ${role}`);
  });
  await ask(server, `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${role}`);
  await ask(server, `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${role}`);
  const theirs = new URL(url);
  theirs.username = role;
  theirs.password = 'visitor';
  const store = await openPostgres(theirs.href);
  t.after(() => store.close());
  assert.equal((await store.get('a'))?.state, 'pending');
  await ask(
    server,
    `INSERT INTO ${quoted(schema)}.counters SELECT 'default', 'pending', 0 FROM generate_series(1, 2000)`,
  );
  assert.equal((await store.overview()).queues[0]?.counts.pending, 1, 'though it may not fold the counters');
  await rejection('store_forbidden', () => store.enqueue([newJob('b')]));
});

test('a schema dropped while in use is reported as gone, not created again', async (t) => {
  const { url, server, schema } = await place(t);
  const store = await openPostgres(url);
  t.after(() => store.close());
  await ask(server, `DROP SCHEMA ${quoted(schema)} CASCADE`);
  await rejection('store_gone', () => store.enqueue([newJob('a')]));
});

test('many counters are folded by readers', async (t) => {
  const { url, server, schema } = await place(t);
  const store = await openPostgres(addressWith(url, {}));
  t.after(() => store.close());
  const table = `${quoted(schema)}.counters`;
  await ask(server, `INSERT INTO ${table} SELECT 'x', 'dead', n FROM generate_series(-1000, 1000) n`);
  await store.enqueue([newJob('a')]);
  assert.equal((await store.overview()).queues[0]?.counts.pending, 1);
  assert.deepEqual(await ask(server, `SELECT queue, state, n::int FROM ${table}`), [
    { queue: 'default', state: 'pending', n: 1 },
  ]);
  assert.deepEqual(await store.check(), []);
});

test('a worker that finds a newer schema may report, but claims nothing', async (t) => {
  const { server, schema, open, remove } = await postgresPlace();
  const bench = await makeBench(t, () => ({ open, remove }));
  await bench.enqueue('a', 'b');
  const lease = await bench.take('a');
  await ask(server, `INSERT INTO ${quoted(schema)}.migrations VALUES (999, 'from the future', 0)`);
  assert.equal((await bench.end(lease, 'completed'))?.state, 'completed');
  const { isOutdated, claimed } = await bench.turn({ want: 1 });
  assert.deepEqual([isOutdated, claimed.length], [true, 0]);
});
