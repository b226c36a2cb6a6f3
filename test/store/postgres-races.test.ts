// Two clients at once on PostgreSQL, where neither sees what the other has not committed yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Dependency } from '../../src/job/flow/dependencies.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { Store } from '../../src/store/store.ts';
import { identity, policy } from '../contract/bench.ts';
import { newJob } from '../support/jobs.ts';
import { addressWith, ask } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { plainWorker } from '../support/workers.ts';
import { idleTurn } from './idle-turn.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

async function place(t: Ending): Promise<PostgresPlace> {
  const made = await postgresPlace();
  t.after(() => made.remove());
  return made;
}

async function open(t: Ending, url: string, name: string): Promise<Store> {
  const store = await openPostgres(addressWith(url, { application_name: name }));
  t.after(() => store.close());
  return store;
}

/** Works while another client holds the lock that the statement takes. */
async function whileLocked(
  { server, schema }: PostgresPlace,
  statement: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(`SET search_path TO ${quoted(schema)}; BEGIN`);
    await client.query(statement);
    await work();
  } finally {
    await client.end();
  }
}

const WAITING = `
  SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`;
const isWaiting = async (server: string, name: string): Promise<boolean> =>
  (await ask(server, WAITING, [name])).length > 0;

const onJob = (on: string): Dependency => ({ kind: 'job', on, rule: 'end' });
const onGroup = (on: string): Dependency => ({ kind: 'group', on, rule: 'end' });
const names = (t: { name: string }) =>
  ['first', 'second'].map((name) => `${name} ${process.pid} ${t.name}`.slice(0, 60)) as [string, string];

test('two concurrent enqueues cannot close a cycle through groups', async (t) => {
  const made = await place(t);
  const [one, two] = names(t);
  const [first, second] = [await open(t, made.url, one), await open(t, made.url, two)];
  for (const group of ['g', 'h']) await first.enqueue([newJob(`in-${group}`, { group })]);
  await first.enqueue([newJob('in-limited', { group: 'limited', groupConcurrency: 2 })]);
  for (const group of ['g', 'h']) await first.enqueue([newJob(`after-${group}`, { dependsOn: [onGroup(group)] })]);
  const enqueues: Promise<unknown>[] = [];
  // The lock stops the first enqueue after its check and before its commit.
  await whileLocked(made, "SELECT 1 FROM groups WHERE name = 'limited' FOR NO KEY UPDATE", async () => {
    const limited = newJob('limited', { group: 'limited', groupConcurrency: 3 });
    enqueues.push(first.enqueue([newJob('a', { group: 'g', dependsOn: [onJob('after-h')] }), limited]));
    await until('the first enqueue waits', () => isWaiting(made.server, one));
    let isDone = false;
    const job = newJob('b', { group: 'h', dependsOn: [onJob('after-g')] });
    const done = second.enqueue([job]).finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    enqueues.push(rejection('dependency_cycle', () => done));
    await until('the second enqueue waits', async () => isDone || isWaiting(made.server, two));
  });
  await Promise.all(enqueues);
});

test('a group is not swept while a job is being enqueued into it', async (t) => {
  const made = await place(t);
  const [one, two] = names(t);
  const [first, second] = [await open(t, made.url, one), await open(t, made.url, two)];
  await first.enqueue([newJob('old', { group: 'g' }), newJob('parent', { group: 'p' })]);
  await first.remove(['old']);
  const hooks = { on_success: 'echo done' };
  const enqueues: Promise<unknown>[] = [];
  await whileLocked(made, "SELECT 1 FROM groups WHERE name = 'p' FOR NO KEY UPDATE", async () => {
    const job = { group: 'g', groupConcurrency: 2, groupHooks: hooks, dependsOn: [onGroup('p')] };
    enqueues.push(first.enqueue([newJob('new', job)]));
    await until('the enqueue waits', () => isWaiting(made.server, one));
    await second.groups.sweep('', 100);
  });
  await Promise.all(enqueues);
  assert.equal((await first.groups.get('g'))?.concurrency, 2);
  assert.deepEqual(await first.hooks.ofGroup('g'), hooks);
});

test("a group's first limit applies to a job that is being enqueued into it", async (t) => {
  const made = await place(t);
  const [one, two] = names(t);
  const [first, second] = [await open(t, made.url, one), await open(t, made.url, two)];
  await first.enqueue([newJob('old', { group: 'g' }), newJob('parent', { group: 'p' })]);
  const enqueues: Promise<unknown>[] = [];
  await whileLocked(made, "SELECT 1 FROM groups WHERE name = 'p' FOR NO KEY UPDATE", async () => {
    // The lock stops the first enqueue after its job was inserted and before its commit.
    const waiting = newJob('waiting', { dependsOn: [onGroup('p')] });
    enqueues.push(first.enqueue([newJob('early', { group: 'g' }), waiting]));
    await until('the first enqueue waits', () => isWaiting(made.server, one));
    let isDone = false;
    const limiting = second.enqueue([newJob('limiting', { group: 'g', groupConcurrency: 1 })]);
    enqueues.push(
      limiting.finally(() => {
        isDone = true;
      }),
    );
    await until('the second enqueue waits or is done', async () => isDone || isWaiting(made.server, two));
  });
  await Promise.all(enqueues);
  const worker = identity('w1');
  await first.registerWorker({ ...worker, ...plainWorker, concurrency: 10 });
  const claimed = [];
  for (let turns = 0; turns < 5; turns++)
    claimed.push(...(await first.turn({ ...idleTurn, worker, policy, want: 10, slots: 10 })).claimed);
  const inGroup = claimed.filter(({ job }) => job.group === 'g');
  assert.equal(inGroup.length, 1, inGroup.map(({ job }) => job.id).join(' '));
});
