// The files of a queue: readable by their owner alone, and written so that what was acknowledged is on disk.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { plainWorker } from '../support/workers.ts';
import { idleTurn } from './idle-turn.ts';

const mode = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);

async function open(t: TestContext, file: string): Promise<Store> {
  const store = await openSqlite(file, {
    wakePath: path.join(path.dirname(file), 'run', 'queue.db', 'wake'),
  });
  t.after(() => store.close());
  return store;
}

test('directories and files are created only for the owner, whatever the umask', async (t) => {
  const folder = path.join(temporaryFolder(t), 'new', 'deeper');
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const store = await open(t, path.join(folder, 'queue.db'));
  t.after(store.onWake(() => {}));
  await store.enqueue([newJob('a')]);
  const made = ['..', '.', 'run', 'run/queue.db', 'queue.db', 'queue.db-wal', 'queue.db-shm', 'run/queue.db/wake'];
  const modes = Object.fromEntries(made.map((name) => [name, mode(path.join(folder, name))]));
  assert.deepEqual(modes, {
    '..': '700',
    '.': '700',
    run: '700',
    'run/queue.db': '700',
    'queue.db': '600',
    'queue.db-wal': '600',
    'queue.db-shm': '600',
    'run/queue.db/wake': '600',
  });
});

test('an existing directory keeps its mode', async (t) => {
  const folder = path.join(temporaryFolder(t), 'shared');
  fs.mkdirSync(folder, { mode: 0o755 });
  await open(t, path.join(folder, 'queue.db'));
  assert.equal(mode(folder), '755');
});

test('every commit is on disk before it is acknowledged: WAL, synchronous FULL', async (t) => {
  const opened = t.mock.method(DatabaseSync.prototype, 'prepare');
  const store = await open(t, path.join(temporaryFolder(t), 'queue.db'));
  const connection = opened.mock.calls[0]?.this as DatabaseSync;
  const pragma = (name: string) => connection.prepare(`PRAGMA ${name}`).get()?.[name];
  assert.deepEqual([pragma('journal_mode'), pragma('synchronous')], ['wal', 2]);
  let inTurn: unknown;
  await store.registerWorker({ ...idleTurn.worker, ...plainWorker });
  await store.enqueue([newJob('a')]);
  const { claimed } = await store.turn({
    ...idleTurn,
    logPath: () => {
      inTurn = pragma('synchronous');
      return 'log';
    },
  });
  assert.deepEqual([claimed.length, inTurn], [1, 2]);
});

test('a copy that lost its journal mode gets it back', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  await (await openSqlite(file, { wakePath: `${file}.wake` })).close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = DELETE');
  db.close();
  await open(t, file);
  const again = new DatabaseSync(file);
  t.after(() => again.close());
  assert.equal(again.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
});

test('a large write-ahead log is truncated', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await open(t, file);
  await store.enqueue([newJob('a', { command: 'x'.repeat(100_000) })]);
  await store.close();
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['queue.db']);
});

test('a deleted wake file is created again, and waking continues', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'queue.db');
  const store = await open(t, file);
  let heard = 0;
  t.after(store.onWake(() => heard++));
  fs.rmSync(path.join(folder, 'run'), { recursive: true });
  const wake = path.join(folder, 'run', 'queue.db', 'wake');
  await until('the file is there again', () => fs.existsSync(wake));
  const before = heard;
  let jobs = 0;
  await until('a new job is heard of', async () => {
    await store.enqueue([newJob(`j${jobs++}`)]);
    return heard > before;
  });
});

for (const fate of ['removed', 'replaced']) {
  test(`a worker whose database was ${fate} gets an error`, async (t) => {
    const file = path.join(temporaryFolder(t), 'queue.db');
    const store = await open(t, file);
    fs.rmSync(file);
    if (fate === 'replaced') fs.writeFileSync(file, '');
    const { message, exitCode } = await rejection('store_gone', () => store.turn(idleTurn));
    assert.ok(message.includes(file));
    assert.equal(exitCode, 5);
    await rejection('store_gone', () => store.turn(idleTurn)); // the next turn as well, however soon it comes
  });
}

test('other programs can read a queue while it is open', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await open(t, file);
  await store.enqueue([newJob('a')]);
  const db = new DatabaseSync(file, { readOnly: true });
  t.after(() => db.close());
  const statement: StatementSync = db.prepare('SELECT id, state FROM jobs');
  assert.deepEqual(
    statement.all().map((row) => ({ ...row })),
    [{ id: 'a', state: 'pending' }],
  );
});
