// Another client holds rows of jobs while a turn looks at them. What the turn has to skip then is not forgotten.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { Bench, idsOf } from '../contract/bench.ts';
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

/** A transaction that holds this job until the returned function ends it. */
async function lock(
  t: TestContext,
  { server, schema }: PostgresPlace,
  id: string,
): Promise<(end: 'COMMIT' | 'ROLLBACK') => Promise<unknown>> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  t.after(() => client.end());
  await client.query('BEGIN');
  await client.query(`SELECT 1 FROM ${quoted(schema)}.jobs WHERE id = $1 FOR UPDATE`, [id]);
  return (end) => client.query(end);
}

for (const end of ['COMMIT', 'ROLLBACK'] as const) {
  test(`a job that waits for its key and is held by a transaction gets its slot after ${end}`, async (t) => {
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
}
