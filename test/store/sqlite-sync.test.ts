// A turn of a worker is over when what it wrote is on disk, and not before; what it claimed may be started before that. While the
// disk is slow, another thread waits for it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Disk } from '../../src/store/sqlite/connection.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { Committed, TurnResult } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { idleTurn } from './idle-turn.ts';

/** With two jobs, of which the first is taken: that turn is synced by SQLite. */
async function taking(t: TestContext, disk: Partial<Disk>) {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await openSqlite(file, {
    wakePath: `${file}.wake`,
    disk: { sync: fs.fdatasyncSync, syncAside: unexpected, slowMs: Number.POSITIVE_INFINITY, ...disk },
  });
  t.after(() => store.close());
  await store.registerWorker({
    ...idleTurn.worker,
    storeId: store.id,
    queues: null,
    concurrency: 2,
    leaseMs: 30_000,
    onlyJob: null,
    version: null,
  });
  await store.enqueue([newJob('a'), newJob('b')]);
  const take = (committed?: Committed): Promise<TurnResult> => store.turn(idleTurn, committed);
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

const FULL = 2;

const unexpected: Disk['syncAside'] = async () => {
  throw new Error('no other thread is needed');
};

/** Like taking(), with two jobs more and a disk that was slow at the second turn: the next ones are synced aside. */
async function takingSlowly(t: TestContext, syncAside: Disk['syncAside']) {
  const { store, ...rest } = await taking(t, { syncAside, slowMs: 0 });
  await store.enqueue([newJob('c'), newJob('d')]);
  assert.deepEqual(idsOf(await rest.take()), ['b']);
  return { store, ...rest };
}

test('what a turn claimed can be started before it is on disk, and the turn is over when it is', async (t) => {
  const steps: string[] = [];
  const { file, take } = await taking(t, { sync: () => void steps.push('synced') });
  const other = opened(t, file);
  await take(async (result) => {
    steps.push(`${idsOf(result)} is ${stateOf(other, 'b')}`);
    await setImmediate();
    steps.push('started');
  });
  assert.deepEqual(steps, ['b is processing', 'synced', 'started']);
});

test('a turn that SQLite synced itself is not synced again', async (t) => {
  const synced: number[] = [];
  await taking(t, { sync: (file) => void synced.push(file) });
  assert.deepEqual(synced, []);
});

test('a turn whose log cannot be opened is synced by SQLite, and the next one tries again', async (t) => {
  const synced: number[] = [];
  const { openSync } = fs;
  const opens = t.mock.method(fs, 'openSync', (...args: Parameters<typeof openSync>) => {
    if (String(args[0]).endsWith('-wal')) throw new Error('EMFILE');
    return openSync(...args);
  });
  syncBuiltinESMExports();
  const { store, take } = await taking(t, { sync: (file) => void synced.push(file) });
  await store.enqueue([newJob('c')]);
  assert.deepEqual(idsOf(await take()), ['b']);
  opens.mock.restore();
  syncBuiltinESMExports();
  assert.deepEqual([idsOf(await take()), synced], [['c'], []]);
});

test('while the disk is slow the event loop goes on, and others see a turn before it is over', async (t) => {
  const { promise: synced, resolve: letSync } = Promise.withResolvers<void>();
  const { file, take } = await takingSlowly(t, () => synced);
  let isOver = false;
  const turn = take().finally(() => {
    isOver = true;
  });
  const other = opened(t, file);
  await until('others see it', () => stateOf(other, 'c') === 'processing');
  for (let i = 0; i < 10; i++) await setImmediate();
  assert.equal(isOver, false);
  letSync();
  assert.deepEqual(idsOf(await turn), ['c']);
});

test('a start that fails while another thread syncs fails the turn, and nothing else', async (t) => {
  const { take } = await takingSlowly(t, async () => void (await setImmediate()));
  await assert.rejects(
    take(async () => {
      throw new Error('no room');
    }),
    { message: 'no room' },
  );
});

test('the file that is synced is the write-ahead log, and everything else is synced by SQLite', async (t) => {
  const synced: string[] = [];
  const ran = t.mock.method(DatabaseSync.prototype, 'exec');
  const { store, take } = await taking(t, {
    sync: (file) => void synced.push(fs.readlinkSync(`/proc/self/fd/${file}`)),
  });
  await take();
  assert.deepEqual(
    synced.map((name) => path.basename(name)),
    ['queue.db-wal'],
  );
  await store.enqueue([newJob('c')]);
  const own = ran.mock.calls[0]?.this as DatabaseSync;
  assert.equal(own.prepare('PRAGMA synchronous').get()?.synchronous, FULL);
  assert.equal(synced.length, 1);
});

test('a slow disk is left to another thread for some turns, then tried again', async (t) => {
  const synced = { here: 0, aside: 0 };
  const { store, take } = await taking(t, {
    sync: () => void synced.here++,
    syncAside: async () => void synced.aside++,
    slowMs: 0,
  });
  await store.enqueue(Array.from({ length: 40 }, (_, i) => newJob(`more-${i}`)));
  for (let turn = 0; turn < 34; turn++) await take();
  assert.deepEqual(synced, { here: 2, aside: 32 });
});

const failing: Partial<Disk> = {
  sync: () => {
    throw new Error('EIO');
  },
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
  const { message } = await rejection('store_not_synced', take);
  assert.ok(message.includes(file));
});

test('and so has one whose pages the disk does not take elsewhere either', async (t) => {
  const { take } = await taking(t, failing);
  const { prepare } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    if (sql.includes('wal_checkpoint(FULL)')) throw new Error('disk I/O error');
    return prepare.call(this, sql);
  });
  await rejection('store_not_synced', take);
});

test('a failure of the other thread is treated alike', async (t) => {
  const { file, take } = await takingSlowly(t, async () => {
    throw new Error('EIO');
  });
  assert.deepEqual(idsOf(await take()), ['c']);
  const copy = path.join(temporaryFolder(t), 'copy.db');
  fs.copyFileSync(file, copy); // without its log
  assert.equal(stateOf(opened(t, copy), 'c'), 'processing');
});
