// Another client holds rows of jobs while a turn looks at them. What the turn has to skip then is not forgotten.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { Bench, idsOf } from '../contract/bench.ts';
import type { Dependency } from '../../src/job/flow/dependencies.ts';
import { newJob } from '../support/jobs.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';

async function scene(t: TestContext): Promise<{ b: Bench; place: PostgresPlace }> {
  const place = await postgresPlace();
  const b = new Bench(place);
  t.after(async () => {
    await b.close();
    await place.remove();
  });
  await b.begin();
  return { b, place };
}

type Release = (end: 'COMMIT' | 'ROLLBACK') => Promise<unknown>;

/** A transaction that holds these rows until the returned function ends it. */
async function lockRows(
  t: TestContext,
  { server, schema }: PostgresPlace,
  table: string,
  where: string,
): Promise<Release> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  t.after(() => client.end());
  await client.query('BEGIN');
  const { rowCount } = await client.query(`SELECT 1 FROM ${quoted(schema)}.${table} WHERE ${where} FOR UPDATE`);
  assert.ok(rowCount);
  return (end) => client.query(end);
}

const lock = (t: TestContext, place: PostgresPlace, id: string): Promise<Release> =>
  lockRows(t, place, 'jobs', `id = '${id}'`);

for (const end of ['COMMIT', 'ROLLBACK'] as const) {
  test(`a job that waits for its key and is locked by a transaction gets its slot after ${end}`, async (t) => {
    const { b, place } = await scene(t);
    await b.enqueue(newJob('a', { key: 'k' }), newJob('b', { key: 'k' }));
    const [a] = (await b.turn({ want: 5, slots: 5 })).claimed;
    assert.ok(a);
    const release = await lock(t, place, 'b');
    await b.end(a, 'completed');
    assert.deepEqual((await b.turn({ want: 5, slots: 5 })).claimed, []);
    await release(end);
    assert.deepEqual(idsOf((await b.turn({ want: 5, slots: 5 })).claimed), ['b']);
  });

  test(`a job whose dependency is locked by a transaction is updated after ${end}`, async (t) => {
    const { b, place } = await scene(t);
    await b.enqueue('a', 'b', newJob('grouped', { group: 'g' }));
    await b.enqueue(
      waiting('after a', { kind: 'job', on: 'a' }),
      waiting('after b', { kind: 'job', on: 'b' }),
      waiting('after g', { kind: 'group', on: 'g' }),
    );
    const { claimed } = await b.turn({ want: 5, slots: 5 });
    const release = await lockRows(t, place, 'dependencies', "parent IN ('a', 'g')");
    for (const one of claimed) await b.end(one, 'completed');
    await b.store.dependencies.advance(100);
    assert.deepEqual(idsOf((await b.turn({ want: 5, slots: 5 })).claimed), ['after b']);
    await release(end);
    await b.store.dependencies.advance(100);
    assert.deepEqual(idsOf((await b.turn({ want: 5, slots: 5 })).claimed), ['after a', 'after g']);
    assert.deepEqual(await b.store.dependencies.advance(100), { told: 0, more: false });
  });
}

const waiting = (id: string, on: Pick<Dependency, 'kind' | 'on'>) =>
  newJob(id, { dependsOn: [{ ...on, rule: 'success' }] });
