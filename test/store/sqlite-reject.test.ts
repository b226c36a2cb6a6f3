// Files that are no queue, or none that this program knows: rejected with the reason, and left byte by byte as they are.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import type { ErrorCode } from '../../src/errors/errors.ts';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';

const open = (file: string): Promise<Store> => openSqlite(file, { wakePath: `${file}.wake`, patienceMs: 500 });

/** Everything in the folder, by name and content. */
const contents = (folder: string): [string, string][] =>
  fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'base64')]);

/** A queue of 2000 jobs, closed. */
async function filledQueue(t: TestContext): Promise<string> {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await open(file);
  await store.enqueue(Array.from({ length: 2000 }, (_, i) => newJob(`j${i}`)));
  await store.close();
  return file;
}

/** Uses the store in every way that a command would, until it is rejected. */
async function use(file: string): Promise<void> {
  const store = await open(file);
  try {
    await store.overview();
    await store.list({ sort: 'created', descending: false, limit: null });
    for (let i = 0; i < 2000; i += 100) await store.find(`j${i}`);
  } finally {
    await store.close();
  }
}

async function rejectsUnchanged(
  file: string,
  code: ErrorCode,
  work: (file: string) => Promise<unknown> = open,
): Promise<string> {
  const before = contents(path.dirname(file));
  const { message, exitCode } = await rejection(code, () => work(file));
  assert.deepEqual(contents(path.dirname(file)), before);
  assert.equal(exitCode, 5);
  assert.ok(message.includes(`'${file}'`), message);
  return message;
}

describe('a file that is not a database', () => {
  const garbage: [what: string, bytes: string | Buffer][] = [
    ['a line of text', 'hello\n'],
    ['a large text', 'all work and no play\n'.repeat(5000)],
    ['zeros', Buffer.alloc(8192)],
    ['noise', Buffer.from(Array.from({ length: 10_000 }, (_, i) => (i * i * 31) % 251))],
    ["a database's first page cut short", Buffer.from('SQLite format 3\0')],
  ];
  for (const [what, bytes] of garbage) {
    test(`${what} is rejected`, async (t) => {
      const file = path.join(temporaryFolder(t), 'queue.db');
      fs.writeFileSync(file, bytes);
      await rejectsUnchanged(file, 'store_not_a_database');
    });
  }
});

describe("another program's database", () => {
  const foreign: [what: string, script: string][] = [
    ['with tables', 'CREATE TABLE notes (text); INSERT INTO notes VALUES (1)'],
    ['with a table called jobs', 'CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT)'],
    ['with a version and no tables yet', 'PRAGMA user_version = 3'],
    ['with a mark of its own', 'PRAGMA application_id = 99; CREATE TABLE t (x)'],
    ['in WAL mode', 'PRAGMA journal_mode = WAL; CREATE TABLE t (x)'],
  ];
  for (const [what, script] of foreign) {
    test(`${what} is rejected`, async (t) => {
      const file = path.join(temporaryFolder(t), 'theirs.db');
      const db = new DatabaseSync(file);
      db.exec(script);
      db.close();
      assert.match(await rejectsUnchanged(file, 'store_not_a_database'), /belongs to another program/);
    });
  }
});

describe('a damaged queue', () => {
  test('cut in the middle is rejected', async (t) => {
    const file = await filledQueue(t);
    fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2 / 4096) * 4096);
    await rejectsUnchanged(file, 'store_corrupt', use);
  });

  test('cut within a page is rejected', async (t) => {
    const file = await filledQueue(t);
    fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2) + 100);
    await rejectsUnchanged(file, 'store_corrupt', use);
  });

  test('with overwritten pages is rejected', async (t) => {
    const file = await filledQueue(t);
    const handle = fs.openSync(file, 'r+');
    for (let at = 4096; at < fs.fstatSync(handle).size; at += 4096)
      fs.writeSync(handle, Buffer.alloc(2048, 0xa5), 0, 2048, at);
    fs.closeSync(handle);
    await rejectsUnchanged(file, 'store_corrupt', use);
  });

  test('with an overwritten first page is rejected', async (t) => {
    const file = await filledQueue(t);
    const handle = fs.openSync(file, 'r+');
    fs.writeSync(handle, Buffer.alloc(3000, 0xa5), 0, 3000, 100);
    fs.closeSync(handle);
    await rejectsUnchanged(file, 'store_corrupt', use);
  });

  test('is distinguished from a sound one by check()', async (t) => {
    const file = await filledQueue(t);
    const raw = new DatabaseSync(file);
    raw.exec("UPDATE counters SET n = n + 3 WHERE state = 'pending'");
    raw.close();
    const store = await open(file);
    t.after(() => store.close());
    assert.deepEqual(await store.check(), ['the counter of pending jobs in queue default is off by 3']);
  });

  test('with broken workflows is detected', async (t) => {
    const file = await filledQueue(t);
    const store = await open(file);
    t.after(() => store.close());
    await store.enqueue([
      newJob('done', { group: 'g' }),
      newJob('told', { dependsOn: [{ kind: 'job', on: 'done', rule: 'success' }] }),
      newJob('untold', { dependsOn: [{ kind: 'job', on: 'done', rule: 'success' }] }),
    ]);
    const raw = new DatabaseSync(file);
    raw.exec(`
      DELETE FROM groups;
      UPDATE jobs SET state = 'completed' WHERE id = 'done';
      DELETE FROM endings;
      UPDATE dependencies SET outcome = 'completed' WHERE job_seq = (SELECT seq FROM jobs WHERE id = 'told');
      INSERT INTO dependencies (job_seq, position, kind, parent, parent_seq, rule, outcome)
        VALUES (999999, 0, 'job', 'x', 1, 'success', 'completed'), (999999, 1, 'job', 'x', 1, 'success', 'completed')`);
    raw.close();
    assert.deepEqual(await store.check(), [
      '2 dependencies belong to deleted jobs',
      '1 dependency is unresolved although the parent job finished',
      '1 job is blocked without an unfinished dependency',
      '1 job belongs to a missing group',
    ]);
  });

  test('without damage has no findings', async (t) => {
    const store = await open(await filledQueue(t));
    t.after(() => store.close());
    assert.deepEqual(await store.check(), []);
  });
});

describe('a queue of a newer version', () => {
  test('is rejected with both versions named', async (t) => {
    const file = await filledQueue(t);
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    const message = await rejectsUnchanged(file, 'store_too_new');
    assert.match(
      message,
      new RegExp(`schema version ${SCHEMA_VERSION + 1}; this queuectl supports up to ${SCHEMA_VERSION}$`),
    );
  });
});

describe('an impossible location', () => {
  test('a directory is rejected', async (t) => {
    const folder = path.join(temporaryFolder(t), 'queue.db');
    fs.mkdirSync(folder);
    assert.match((await rejection('store_unreachable', () => open(folder))).message, /it is a directory/);
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  for (const below of ['queue.db', path.join('a', 'b', 'queue.db')]) {
    test(`${below} below a regular file is rejected`, async (t) => {
      const file = path.join(temporaryFolder(t), 'file');
      fs.writeFileSync(file, 'text');
      await rejection('store_unreachable', () => open(path.join(file, below)));
      assert.equal(fs.readFileSync(file, 'utf8'), 'text');
    });
  }

  test('a name too long for the file system is rejected', async (t) => {
    await rejection('store_unreachable', () => open(path.join(temporaryFolder(t), 'x'.repeat(300))));
  });
});
