// A database that another program holds: writers wait without standing in anybody's way, and give up in time.

import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { idleTurn } from './idle-turn.ts';

const LOOKS = 40;

async function heldQueue(
  t: TestContext,
  patienceMs: number,
  clock?: () => number,
): Promise<{ store: Store; holder: DatabaseSync }> {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await openSqlite(file, { wakePath: `${file}.wake`, patienceMs, clock });
  t.after(() => store.close());
  const holder = new DatabaseSync(file);
  t.after(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  return { store, holder };
}

test('a write waits for the lock and then succeeds, and the process continues meanwhile', async (t) => {
  const { store, holder } = await heldQueue(t, 30_000);
  let done = false;
  const write = store.enqueue([newJob('a')]).then(() => (done = true));
  const looksAt: number[] = [];
  await until('other work got its turns', () => looksAt.push(performance.now()) >= LOOKS);
  assert.equal(done, false);
  assert.equal(await store.get('a'), null);
  holder.exec('COMMIT');
  await write;
  assert.equal((await store.get('a'))?.state, 'pending');
  const gaps = looksAt.slice(1).map((at, i) => at - (looksAt[i] ?? at));
  const [, secondLongest = 0] = gaps.sort((a, b) => b - a); // one hiccup of the machine is forgiven
  assert.ok(secondLongest < 1000, `blocked for ${secondLongest} ms`); // it would be for thirty seconds
});

test('jobs staged while others wait for the lock stay staged', async (t) => {
  const { store, holder } = await heldQueue(t, 30_000);
  const waiting = store.enqueue(Array.from({ length: 20 }, (_, i) => newJob(`waiting-${i}`)));
  const stage = await store.stage();
  await stage.add([newJob('staged')]);
  holder.exec('COMMIT');
  assert.equal((await waiting).length, 20);
  assert.equal(await stage.commit(), 1);
  assert.equal((await store.get('staged'))?.state, 'pending');
});

test('a write that waited for the lock has the time at which it got the lock', async (t) => {
  let now = T0;
  const { store, holder } = await heldQueue(t, 30_000, () => now);
  const enqueued = store.enqueue([newJob('a')]);
  now += 60_000;
  holder.exec('COMMIT');
  const [job] = await enqueued;
  assert.equal(job?.createdAt, T0 + 60_000);
  await store.registerWorker({
    ...idleTurn.worker,
    storeId: store.id,
    queues: null,
    concurrency: 1,
    leaseMs: 1,
    onlyJob: null,
    version: null,
  });
  holder.exec('BEGIN IMMEDIATE');
  const turn = store.turn({ ...idleTurn, want: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  now += 60_000;
  holder.exec('COMMIT');
  assert.equal((await turn).claimed.length, 1);
  assert.equal((await store.get('a'))?.startedAt, T0 + 120_000);
});

test('a write that gets no lock in time is rejected completely', async (t) => {
  const { store, holder } = await heldQueue(t, 200);
  const { message, exitCode } = await rejection('store_busy', () => store.enqueue([newJob('a')]));
  assert.match(message, /was locked for/);
  assert.equal(exitCode, 5);
  holder.exec('ROLLBACK');
  assert.equal(await store.get('a'), null);
  await store.enqueue([newJob('a')]);
});

test('reading does not wait for a writer, nor does a turn without work', async (t) => {
  const { store, holder } = await heldQueue(t, 0);
  assert.deepEqual((await store.overview()).queues, []);
  assert.equal((await store.turn(idleTurn)).known, false);
  holder.exec('ROLLBACK');
});

test('staging does not wait for a writer', async (t) => {
  const { store, holder } = await heldQueue(t, 0);
  const stage = await store.stage();
  await stage.add([newJob('a')]);
  holder.exec('ROLLBACK');
  assert.equal(await stage.commit(), 1);
});

test('opening a new queue waits for the lock on its file', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const holder = new DatabaseSync(file);
  t.after(() => holder.close());
  holder.exec('BEGIN EXCLUSIVE');
  const opening = openSqlite(file, { wakePath: `${file}.wake` });
  let looks = 0;
  await until('other work got its turns', () => ++looks >= LOOKS);
  holder.exec('ROLLBACK');
  await (await opening).close();
});

test('a queue that cannot be opened in time is rejected as locked', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const holder = new DatabaseSync(file);
  t.after(() => holder.close());
  holder.exec('BEGIN EXCLUSIVE');
  await rejection('store_busy', () => openSqlite(file, { wakePath: `${file}.wake`, patienceMs: 100 }));
});
