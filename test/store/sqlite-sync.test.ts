// While the disk is slow, a turn of a worker lets another thread wait for it: it is over when what it wrote is there, and not
// before.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Disk } from '../../src/store/sqlite/connection.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { TurnResult } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newJob } from '../support/jobs.ts';
import { refusal } from '../support/refusal.ts';
import { until } from '../support/until.ts';
import { idleTurn } from './idle-turn.ts';

/** With two jobs, of which the first is taken: that turn is synced by SQLite. */
async function taking(t: TestContext, sync: Disk['sync'], slowMs = 0) {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await openSqlite(file, { wakePath: `${file}.wake`, disk: { sync, slowMs } });
  t.after(() => store.close());
  await store.registerWorker({
    ...idleTurn.worker,
    storeId: store.id,
    queues: null,
    concurrency: 2,
    leaseMs: 30_000,
    onlyJob: null,
  });
  await store.enqueue([newJob('a'), newJob('b')]);
  const take = (): Promise<TurnResult> => store.turn(idleTurn);
  assert.deepEqual(idsOf(await take()), ['a']);
  return { store, file, take };
}

const idsOf = ({ claimed }: TurnResult): string[] => claimed.map(({ job }) => job.id);

function opened(t: TestContext, file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  return database;
}

const stateOf = (database: DatabaseSync, id: string) =>
  database.prepare('SELECT state FROM jobs WHERE id = ?').get(id)?.state;

test('a turn is over when what it wrote is on disk; others see it before', async (t) => {
  const { promise: synced, resolve: letSync } = Promise.withResolvers<void>();
  const { file, take } = await taking(t, () => synced);
  let isOver = false;
  const turn = take().finally(() => {
    isOver = true;
  });
  const other = opened(t, file);
  await until('others see it', () => stateOf(other, 'b') === 'processing');
  for (let i = 0; i < 10; i++) await setImmediate();
  assert.equal(isOver, false);
  letSync();
  assert.deepEqual(idsOf(await turn), ['b']);
});

test('the file that is synced is the write-ahead log, and everything else is synced by SQLite', async (t) => {
  const synced: string[] = [];
  const ran = t.mock.method(DatabaseSync.prototype, 'exec');
  const { take } = await taking(
    t,
    async (file) => void synced.push(fs.readlinkSync(`/proc/self/fd/${file}`)),
  );
  assert.deepEqual(synced, []);
  await take();
  assert.deepEqual(
    synced.map((name) => path.basename(name)),
    ['queue.db-wal'],
  );
  const own = ran.mock.calls[0]?.this as DatabaseSync;
  assert.equal(own.prepare('PRAGMA synchronous').get()?.synchronous, 2);
});

test('a disk that is not slow is waited for by SQLite alone, and one that was slow is asked again', async (t) => {
  let synced = 0;
  const count = async (): Promise<void> => void synced++;
  const quick = await taking(t, count, Number.POSITIVE_INFINITY);
  await quick.take();
  assert.equal(synced, 0);
  const slow = await taking(t, count);
  const jobs = Array.from({ length: 40 }, (_, i) => newJob(`more-${i}`));
  await slow.store.enqueue(jobs);
  for (let turn = 0; turn < 34; turn++) await slow.take();
  assert.equal(synced, 32);
});

const failing: Disk['sync'] = async () => {
  throw new Error('EIO');
};

test('what could not be synced is written into the database itself', async (t) => {
  const { file, take } = await taking(t, failing);
  assert.deepEqual(idsOf(await take()), ['b']);
  const copy = path.join(temporaryFolder(t), 'copy.db');
  fs.copyFileSync(file, copy); // without its log
  assert.equal(stateOf(opened(t, copy), 'b'), 'processing');
});

test('a turn that is not on disk in the end has failed', async (t) => {
  const { file, take } = await taking(t, failing);
  const reader = opened(t, file);
  reader.exec('BEGIN');
  stateOf(reader, 'b'); // keeps the log from being folded beyond what it sees
  const { message } = await refusal('store_not_synced', take);
  assert.ok(message.includes(file));
});

test('and so has one whose pages the disk does not take elsewhere either', async (t) => {
  const { take } = await taking(t, failing);
  const { prepare } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    if (sql.includes('wal_checkpoint(FULL)')) throw new Error('disk I/O error');
    return prepare.call(this, sql);
  });
  await refusal('store_not_synced', take);
});
