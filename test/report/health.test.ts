// The checks of doctor, as data: what each of them says of a queue that is well, and of one that is not.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { QueueError } from '../../src/errors/errors.ts';
import { placeOf } from '../../src/store/location.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { checkClaims } from '../../src/report/health/checks/claims.ts';
import { checkFlow } from '../../src/report/health/checks/flow.ts';
import { checkCommands } from '../../src/report/health/checks/machine.ts';
import { checkFiles, checkLogs } from '../../src/report/health/checks/place.ts';
import {
  checkQueues,
  checkRunning,
  checkStore,
  checkVersions,
  checkWorkers,
} from '../../src/report/health/checks/queue.ts';
import { checkSecretKey } from '../../src/report/health/checks/secrets.ts';
import { examine, type Health } from '../../src/report/health/health.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addDeadWorker, addWorker, claim, openQueue, runJob, turn } from '../support/library.ts';
import { storeWith } from '../support/store-with.ts';
import { sign } from '../support/workers.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

const BUILD = { version: '1.2.3', commit: null, installation: 'clone' } as const;

const healthOf = (queue: Queue): Promise<Health> => examine(queue.place, BUILD, async () => queue);

/** The same queue, on a store that does some things otherwise. */
const withStore = (queue: Queue, methods: Parameters<typeof storeWith>[1]): Queue =>
  Object.assign(Object.create(queue) as Queue, { store: storeWith(queue.store, methods) });

test('every check of a healthy queue is ok and has a unique name', async (t) => {
  const { ok, checks, error } = await healthOf(await openQueue(t));
  assert.deepEqual([ok, error], [true, null]);
  assert.deepEqual(
    checks.filter(({ status, name }) => status !== 'ok' && name !== 'disk'),
    [],
  );
  assert.equal(new Set(checks.map(({ name }) => name)).size, checks.length);
  assert.match(checks[0]?.message ?? '', /^queuectl 1\.2\.3 \(clone\) on Node \d/);
});

test('a queue that cannot be opened is a failed check with the reason, and other checks still run', async (t) => {
  const place = placeOf(path.join(temporaryFolder(t), 'queue.db'), {});
  const gone = new QueueError('store_gone', { path: place.db });
  const { ok, checks, error } = await examine(place, BUILD, async () => {
    throw gone;
  });
  assert.deepEqual([ok, error], [false, gone]);
  const store = checks.find(({ name }) => name === 'store');
  assert.deepEqual([store?.status, store?.message, store?.hint], ['fail', gone.message, gone.hint]);
  assert.ok(checks.some(({ name }) => name === 'disk'));
  assert.ok(!checks.some(({ name }) => name === 'workers'), 'nobody can say');
});

test('an invalid setting is not blamed on the store', async (t) => {
  const place = placeOf(path.join(temporaryFolder(t), 'queue.db'), {});
  const wrong = new QueueError('invalid_setting', { problem: 'max_retries must be a number', hint: 'x' });
  const { checks } = await examine(place, BUILD, () => Promise.reject(wrong));
  assert.equal(checks.find(({ name }) => name === 'settings')?.status, 'fail');
  assert.equal(
    checks.find(({ name }) => name === 'store'),
    undefined,
  );
});

test('errors that are not about the queue are not swallowed', async (t) => {
  const { place } = await openQueue(t);
  const bug = new TypeError('a bug');
  await assert.rejects(
    examine(place, BUILD, () => Promise.reject(bug)),
    bug,
  );
});

test('one check that fails unexpectedly does not hide the others', async (t) => {
  const queue = await openQueue(t);
  const broken = Object.assign(Object.create(queue) as Queue, {
    overview: () => Promise.reject(new Error('the table is damaged')),
  });
  const { ok, checks } = await healthOf(broken);
  assert.equal(ok, false);
  const verdicts = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  assert.deepEqual([verdicts.queues, verdicts.workers, verdicts.running], ['fail', 'ok', 'ok']);
});

test('the first problem of a store is reported with the number of others', async (t) => {
  const queue = await openQueue(t);
  const check = async () => ['page 7 is damaged', 'a counter is wrong', 'an index is wrong'];
  const { status, message, hint } = await checkStore(withStore(queue, { check }));
  assert.deepEqual([status, message], ['fail', 'page 7 is damaged (and 2 more)']);
  assert.match(hint ?? '', /backup/);
});

test('a store that cannot be checked has a reason', async (t) => {
  const queue = await openQueue(t);
  const gone = new QueueError('store_gone', { path: 'x' });
  const check = () => Promise.reject(gone);
  assert.deepEqual(await checkStore(withStore(queue, { check })), {
    name: 'store',
    status: 'fail',
    message: gone.message,
    hint: gone.hint,
    command: null,
  });
});

test('workers are counted, and troubled and dead workers cause a warning', async (t) => {
  const queue = await openQueue(t);
  assert.equal((await checkWorkers(queue)).message, 'none running');
  await queue.enqueue([job('a')]);
  for (const id of ['w1', 'w2']) await addWorker(queue, id);
  await claim(queue, 'a', 'w1');
  assert.equal((await checkWorkers(queue)).message, '2 running, 1 busy');
  await addDeadWorker(queue, 'w3');
  const lost = await checkWorkers(queue);
  assert.equal(lost.status, 'warn');
  assert.match(lost.message, /w3/);
  await queue.store.renew('w2', sign('the disk is full'));
  const troubled = await checkWorkers(queue);
  assert.deepEqual([troubled.status, troubled.message], ['warn', 'worker w2 is degraded: the disk is full']);
});

test('a running job is fine with its worker, waits for rescue without it, and fails the check if no worker is known', async (t) => {
  const queue = await openQueue(t);
  assert.equal((await checkRunning(queue)).message, 'no jobs are running');
  await queue.enqueue([job('a'), job('b'), job('c')]);
  await addWorker(queue, 'w');
  await claim(queue, 'a', 'w');
  assert.equal((await checkRunning(queue)).message, '1 processing, each on a known worker');
  await addDeadWorker(queue, 'dead');
  await claim(queue, 'b', 'dead');
  const stuck = await checkRunning(queue);
  assert.deepEqual([stuck.status, stuck.message], ['warn', '1 of 2 processing jobs belong to a lost worker']);
  const workers = async () => (await queue.workers()).filter(({ id }) => id !== 'w');
  const orphaned = await checkRunning(Object.assign(Object.create(queue) as Queue, { workers }));
  assert.deepEqual([orphaned.status, orphaned.message], ['fail', 'processing without a worker: a']);
});

test('queues without a worker are named with the command that helps', async (t) => {
  const queue = await openQueue(t);
  assert.equal((await checkQueues(queue)).status, 'ok');
  await queue.enqueue([job('a', { queue: 'mail' })]);
  const none = await checkQueues(queue);
  assert.deepEqual(
    [none.status, none.message, none.hint],
    ['warn', 'jobs are waiting, but no worker is running', 'queuectl worker start'],
  );
  await addWorker(queue, 'w', { queues: ['print'] });
  const other = await checkQueues(queue);
  assert.deepEqual(
    [other.message, other.hint],
    ['jobs are waiting, but no worker serves mail', 'queuectl worker start --queue mail'],
  );
  await queue.enqueue([job('b', { queue: 'scan' })]);
  const several = await checkQueues(queue);
  assert.deepEqual(
    [several.message, several.hint],
    ['jobs are waiting, but no worker serves mail, scan', 'queuectl worker start'],
  );
});

test('files are safe in their own directory, or if only their owner can read them', async (t) => {
  const queue = await openQueue(t);
  const { folder, file } = queue.place;
  assert.ok(file);
  assert.equal((await checkFiles(queue.place)).status, 'ok');
  fs.chmodSync(folder, 0o755);
  assert.equal((await checkFiles(queue.place)).status, 'ok', 'the files themselves are closed');
  fs.chmodSync(file, 0o644);
  const open = await checkFiles(queue.place);
  assert.deepEqual([open.status, open.hint], ['warn', `chmod go-rwx '${file}'`]);
  fs.chmodSync(folder, 0o777);
  const replaceable = await checkFiles(queue.place);
  assert.deepEqual([replaceable.status, replaceable.hint], ['warn', `chmod go-w '${folder}'`]);
  fs.chmodSync(folder, 0o1777);
  assert.match((await checkFiles(queue.place)).hint ?? '', /^chmod go-rwx/, 'as in /tmp, nobody can replace them');
});

test('a queue that does not exist yet is distinguished from a missing one', async (t) => {
  const place = placeOf(path.join(temporaryFolder(t), 'nowhere', 'queue.db'), {});
  const { status, hint } = await checkFiles(place);
  assert.deepEqual([status, hint], ['fail', 'create it: queuectl init']);
  assert.deepEqual((await checkLogs(place)).message, 'none yet');
});

test('both ways of starting commands are fine, and the slower one has a hint', () => {
  const [fast, slow] = [checkCommands(true), checkCommands(false)];
  assert.deepEqual([fast.status, slow.status], ['ok', 'ok']);
  assert.equal(fast.hint, null);
  assert.match(slow.hint ?? '', /Node 26/);
});

test('the key of the secrets must exist, be readable only by its owner, and open them', async (t) => {
  const queue = await openQueue(t);
  const secrets = await queue.secrets();
  assert.deepEqual((await checkSecretKey(queue)).message, 'no secrets stored');
  for (const name of ['A', 'B']) await secrets.set(name, Buffer.from('a-secret-value'), 'test');
  assert.equal((await checkSecretKey(queue)).status, 'ok');
  const path = `${queue.place.run}/secret-key`;
  const expectFailed = async (problem: RegExp): Promise<void> => {
    const { status, message, hint } = await checkSecretKey(queue);
    assert.deepEqual([status, typeof hint], ['fail', 'string']);
    assert.match(message, problem);
  };
  fs.chmodSync(path, 0o640);
  await expectFailed(/jobs with secrets cannot start on this host: .*other users can read the file/);
  fs.chmodSync(path, 0o600);
  const { text } = (await queue.store.texts.secrets.get('A')) ?? assert.fail();
  const moved = { name: 'B', text, createdAt: 0, createdBy: 'x' };
  await queue.store.texts.secrets.save(moved, true);
  await expectFailed(/the key on this host cannot decrypt these secrets: B$/);
  const key = fs.readFileSync(path);
  fs.writeFileSync(path, 'short\n');
  await expectFailed(/the file contains no valid key/);
  fs.writeFileSync(path, `${Buffer.alloc(32).toString('base64')}\n`);
  await expectFailed(/cannot decrypt these secrets: A, B$/);
  fs.rmSync(path);
  await expectFailed(/file not found/);
  fs.writeFileSync(path, key, { mode: 0o600 });
});

test('pauses and long-held jobs are remarks, not failures', async (t) => {
  const queue = await openQueue(t);
  assert.equal((await checkFlow(queue)).message, 'no paused queues and no long-held jobs');
  await queue.queues.pause('mail');
  const paused = await checkFlow(queue);
  assert.deepEqual(
    [paused.status, paused.message, paused.hint, paused.command],
    ['ok', 'paused: mail', 'resume: queuectl queue resume mail', 'queuectl queue resume mail'],
  );
  await queue.queues.resume('mail');
  await queue.enqueue([job('a')]);
  await queue.change(['a'], { kind: 'hold', reason: 'later' });
  assert.equal((await checkFlow(queue)).hint, null, 'it was held just now');
  const later = Object.assign(Object.create(queue) as Queue, { now: () => Date.now() + 8 * 86_400_000 });
  assert.equal((await checkFlow(later)).message, 'held for more than a week: 1');
});

test('results that dependents have not seen cause a warning if workers run', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a')]);
  await queue.enqueue([job('b', { after: 'a' })]);
  await runJob(queue, 'a', 'w', 'completed');
  assert.equal((await checkFlow(queue)).status, 'ok', 'it has only just ended');
  const later = Object.assign(Object.create(queue) as Queue, { now: () => Date.now() + 61_000 });
  const { status, message } = await checkFlow(later);
  assert.deepEqual(
    [status, message],
    ['warn', 'dependencies finished more than a minute ago, but their dependents are still blocked'],
  );
  await queue.store.dependencies.advance(10);
  assert.equal((await checkFlow(later)).status, 'ok');
});

test('runnable jobs that no worker claims cause a warning', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('memory_budget', '4G');
  await queue.enqueue([
    job('large', { limits: { memory: '900G' }, priority: 9 }),
    job('paused', { queue: 'paused' }),
    job('unserved', { queue: 'unserved' }),
    job('running', { key: 'k' }),
    job('full', { key: 'k' }),
  ]);
  await queue.queues.pause('paused');
  await addWorker(queue, 'w', { concurrency: 4, queues: ['default', 'paused', 'keys'] });
  const later = Object.assign(Object.create(queue) as Queue, { now: () => Date.now() + 11_000 });
  await claim(queue, 'running', 'w');
  await turn(queue, 'w', { want: 3, slots: 4, memory: { bytes: 4 * 2 ** 30, freeBytes: 4 * 2 ** 30 } });
  assert.deepEqual(await checkClaims(later, 0), {
    name: 'claims',
    status: 'ok',
    message: 'no job that could run is left waiting',
    hint: null,
    command: null,
  });
  await queue.enqueue([job('a'), job('b', { key: 'free', queue: 'keys' }), job('c', { key: 'free', queue: 'keys' })]);
  assert.equal((await checkClaims(queue, 0)).status, 'ok', 'they have only just come');
  const { status, message, hint } = await checkClaims(later, 0);
  assert.deepEqual([status, message], ['warn', 'could run, but no worker claims them: a, b']);
  assert.match(hint ?? '', /^queuectl why a; /);
});

test('workers of another version are reported, with the command that replaces them', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'same', { version: '1.2.3+1a2b3c4' });
  assert.equal((await checkVersions(queue, '1.2.3+1a2b3c4')).status, 'ok');
  assert.equal((await checkVersions(queue, '1.2.3')).status, 'ok', 'a build without git has no commit');
  await addWorker(queue, 'old', { version: '1.2.2' });
  await addWorker(queue, 'ancient', { version: null });
  await addDeadWorker(queue, 'dead', { version: '1.0.0' });
  const { status, message, hint } = await checkVersions(queue, '1.2.3');
  assert.equal(status, 'warn');
  assert.match(message, /^this program is 1\.2\.3, but 2 of the workers run /);
  assert.match(message, /1\.2\.2/);
  assert.match(message, /an older version/);
  assert.match(hint ?? '', /queuectl worker stop (old ancient|ancient old)$/);
});
