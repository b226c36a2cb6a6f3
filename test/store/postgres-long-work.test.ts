// Work that takes long has a connection of its own beside a worker's: signs of life and turns do not wait behind it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openPostgres, type PostgresOptions } from '../../src/store/postgres/store.ts';
import type { Store } from '../../src/store/store.ts';
import { identity, policy } from '../contract/bench.ts';
import { endings, newJob } from '../support/jobs.ts';
import { addressWith, ask } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { plainWorker, sign } from '../support/workers.ts';
import { idleTurn } from './idle-turn.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';

const turn = { ...idleTurn, worker: identity('w1'), policy };
const completed = { states: ['completed'], finishedBefore: Number.MAX_SAFE_INTEGER } as const;

interface Scene extends PostgresPlace {
  readonly store: Store;
  connections(): Promise<number>;
}

async function scene(t: TestContext, options: PostgresOptions = {}): Promise<Scene> {
  const place = await postgresPlace();
  t.after(() => place.remove());
  const name = `long work ${process.pid} ${Math.random()}`;
  const store = await openPostgres(addressWith(place.url, { application_name: name }), options);
  t.after(() => store.close());
  const connections = async (): Promise<number> =>
    (await ask(place.server, 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [name])).length;
  return { ...place, store, connections };
}

/** Holds a table that only a prune needs, until the returned function is called. */
async function hold(t: TestContext, { server, schema }: Scene): Promise<() => Promise<unknown>> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  t.after(() => client.end());
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${quoted(schema)}.outputs IN ACCESS EXCLUSIVE MODE`);
  return () => client.query('COMMIT');
}

async function completeOne(store: Store): Promise<void> {
  await store.registerWorker({ ...turn.worker, ...plainWorker });
  await store.enqueue([newJob('old')]);
  const { claimed } = await store.turn(turn);
  const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: endings.completed }));
  await store.turn({ ...turn, ended, want: 0 });
}

test('heartbeats and turns continue while a prune waits for a lock', async (t) => {
  const here = await scene(t);
  await completeOne(here.store);
  const release = await hold(t, here);
  let pruned = -1;
  const pruning = here.store.prune(completed, 10).then(({ jobs }) => {
    pruned = jobs;
  });
  await until('it waits', async () => {
    const waiting = await ask(
      here.server,
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation::regclass::text LIKE '%outputs%'",
    );
    return waiting.length > 0;
  });
  assert.deepEqual(await here.store.renew('w1', sign()), []);
  await here.store.enqueue([newJob('new')]);
  assert.deepEqual(
    (await here.store.turn(turn)).claimed.map(({ job }) => job.id),
    ['new'],
  );
  assert.equal(pruned, -1, 'it waits still');
  await release();
  await pruning;
  assert.equal(pruned, 1);
});

test('the connection for long work is closed when idle, and opened again on demand', async (t) => {
  const { store, connections } = await scene(t, { closeIdleAfterMs: 200 });
  await completeOne(store);
  assert.equal(await connections(), 1);
  for (const jobs of [1, 0]) {
    assert.equal((await store.prune(completed, 10)).jobs, jobs);
    await until('it is closed', async () => (await connections()) === 1);
  }
  assert.equal((await store.figures()).attempts, 0);
});

test('without a worker one connection does everything', async (t) => {
  const { store, connections } = await scene(t);
  await store.figures();
  await store.prune(completed, 10);
  await store.list({ sort: 'updated', descending: true, limit: null });
  assert.equal(await connections(), 1);
});
