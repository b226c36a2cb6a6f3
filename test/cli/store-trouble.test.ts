// A database that cannot be used: what is wrong, which file, what to do; exit code 5, and the file stays as it is.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { newQueue, QUEUECTL, type TestQueue } from './support.ts';

const PAGE = 4096;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

const COMMANDS = [['status'], ['list'], ['enqueue', 'true'], ['worker', 'start']];

/** Every command must reject it in the same way, and leave it as it was. */
async function expectRejected(queue: TestQueue, file: string, sentence: RegExp): Promise<void> {
  const before = fs.readFileSync(file);
  for (const command of COMMANDS) {
    const rejection = await queue.rejected(5, ['--db', file, ...command]);
    assert.match(rejection, sentence, command.join(' '));
    assert.ok(rejection.includes(file), 'the file is named');
    assert.match(rejection, / hint: ./, 'there is a way out');
  }
  assert.ok(before.equals(fs.readFileSync(file)), 'the file is as it was');
}

/** The bytes of a healthy database with a job in it. */
async function healthyDatabase(queue: TestQueue): Promise<Buffer> {
  await queue.enqueue('true');
  foldLog(queue);
  return fs.readFileSync(queue.db);
}

/** Moves what stands in the write-ahead log into the database, so that one file has it all. */
function foldLog(queue: TestQueue): void {
  const database = new DatabaseSync(queue.db);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

test('a file that is not a database is rejected and unchanged', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('notes.txt', 'Buy milk.\n'.repeat(1000));
  await expectRejected(queue, file, /'.*notes\.txt' is not a queuectl database/);
});

test('a database of another program is rejected and unchanged', async (t) => {
  const queue = newQueue(t);
  const foreign = await healthyDatabase(queue);
  foreign.writeUInt32BE(0, APPLICATION_ID_AT);
  await expectRejected(queue, queue.write('other.db', foreign), /not a queuectl database.*another program/);
});

test('a damaged database is rejected and unchanged', async (t) => {
  const queue = newQueue(t);
  const damaged = await healthyDatabase(queue);
  damaged.fill(0x5a, PAGE);
  await expectRejected(queue, queue.write('damaged.db', damaged), /database '.*damaged\.db' is corrupt/);
});

test('a truncated database is rejected and unchanged', async (t) => {
  const queue = newQueue(t);
  const whole = await healthyDatabase(queue);
  const file = queue.write('short.db', whole.subarray(0, 2 * PAGE));
  await expectRejected(queue, file, /database '.*short\.db' is corrupt/);
});

test('a database of a newer version is rejected and unchanged', async (t) => {
  const queue = newQueue(t);
  const newer = await healthyDatabase(queue);
  newer.writeUInt32BE(99, USER_VERSION_AT);
  const file = queue.write('newer.db', newer);
  await expectRejected(queue, file, /'.*newer\.db' has schema version 99; this queuectl supports up to \d+\n.*upgrade/);
});

test('a directory in place of the database is rejected', async (t) => {
  const queue = newQueue(t);
  fs.mkdirSync(path.join(queue.folder, 'folder.db'));
  assert.match(
    await queue.rejected(5, ['--db', 'folder.db', 'status']),
    /cannot open database '.*folder\.db' .*directory/,
  );
});

test('a location below a file is rejected, and the file is unchanged', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('file', 'text');
  const below = path.join(file, 'queue.db');
  assert.match(await queue.rejected(5, ['--db', below, 'enqueue', 'true']), /cannot open database '.*file\/queue\.db'/);
  assert.equal(fs.readFileSync(file, 'utf8'), 'text');
});

test('an empty file becomes a queue', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('empty.db', '');
  await queue.text('--db', file, 'enqueue', 'true');
  assert.equal((await queue.json<unknown[]>('--db', file, 'list')).length, 1);
});

test('doctor describes a damaged database and exits with 5', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('notes.txt', 'Buy milk.\n'.repeat(1000));
  const text = await queue.run(['--db', file, 'doctor']);
  assert.equal(text.code, 5);
  assert.match(text.stdout, /fail\s+store\s+'.*notes\.txt' is not a queuectl database/);
  const json = await queue.run(['--db', file, 'doctor', '--json']);
  assert.equal(json.code, 5);
  assert.equal(JSON.parse(json.stdout).ok, false);
});

test('writing to a read-only database is rejected', async (t) => {
  const queue = await readableByAll(t);
  if (!queue) return;
  const before = await healthyDatabase(queue);
  fs.chmodSync(queue.db, 0o444);
  fs.chmodSync(queue.home, 0o555);
  const rejection = await queue.rejected(5, ['enqueue', 'true'], { unprivileged: true });
  fs.chmodSync(queue.home, 0o755);
  assert.match(
    rejection,
    /cannot write to database '.*queue\.db' .*\n hint: make the file, its directory and its disk writable/,
  );
  assert.ok(before.equals(fs.readFileSync(queue.db)));
});

test('a directory that cannot be written is named', async (t) => {
  const queue = await readableByAll(t);
  if (!queue) return;
  fs.mkdirSync(queue.home, { mode: 0o555 });
  const rejection = await queue.rejected(5, ['enqueue', 'true'], { unprivileged: true });
  assert.match(rejection, /cannot open database '.*queue\.db' \(permission denied\)\n hint: check that --db/);
  assert.deepEqual(fs.readdirSync(queue.home), []);
});

test('a database that cannot be read is named', async (t) => {
  const queue = await readableByAll(t);
  if (!queue) return;
  await queue.enqueue('true');
  fs.chmodSync(queue.db, 0);
  fs.chmodSync(queue.home, 0o755);
  const rejection = await queue.rejected(5, ['status'], { unprivileged: true });
  assert.match(rejection, /cannot open database '.*queue\.db'/);
});

/** A queue for a look from another user, the only kind that a file mode stops when the tests run as root. */
async function readableByAll(t: TestContext): Promise<TestQueue | null> {
  const queue = newQueue(t);
  fs.chmodSync(queue.folder, 0o755);
  const probe = await queue.run(['--version'], { unprivileged: true }).catch(() => null);
  if (probe?.code === 0) return queue;
  t.skip(`another user may not run ${QUEUECTL}`);
  return null;
}
