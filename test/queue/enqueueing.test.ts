// Jobs that a program puts into a queue: what it gets back, what wins over what, and errors it can tell apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { openQueue } from '../support/library.ts';
import { rejection } from '../support/rejection.ts';

const ALL = { sort: 'created', descending: false, limit: null } as const;

const idsIn = async (queue: Queue): Promise<string[]> => (await queue.list(ALL)).map(({ id }) => id);
const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

test('jobs are returned as stored, in the given order', async (t) => {
  const queue = await openQueue(t);
  const jobs = await queue.enqueue([job('b'), job('a', { priority: 7 })]);
  assert.deepEqual(jobs, [await queue.find('b'), await queue.find('a')]);
  assert.deepEqual(
    jobs.map(({ id, state, priority }) => [id, state, priority]),
    [
      ['b', 'pending', 0],
      ['a', 'pending', 7],
    ],
  );
});

test('one invalid job among many rejects all, and the error has a code', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('taken')]);
  for (const [code, wrong] of [
    ['invalid_job', job('x', { priority: 'high' })],
    ['invalid_job', job('x', { comand: 'false' })],
    ['invalid_job', 'true'],
    ['command_required', { id: 'x' }],
    ['job_exists', job('taken')],
    ['job_exists', job('first')],
  ] as const)
    await rejection(code, () => queue.enqueue([job('first'), wrong as never]));
  assert.deepEqual(await idsIn(queue), ['taken']);
});

test('common fields win over the fields of each job', async (t) => {
  const queue = await openQueue(t);
  const jobs = await queue.enqueue([job('a', { queue: 'mail', priority: 1 }), job('b')], {
    queue: 'print',
    max_retries: 0,
  });
  assert.deepEqual(
    jobs.map(({ queue: name, priority, maxRetries }) => [name, priority, maxRetries]),
    [
      ['print', 1, 0],
      ['print', 0, 0],
    ],
  );
});

test('a job gets the directory of its queue unless it names one', async (t) => {
  const queue = await openQueue(t, { cwd: '/' });
  const [plain, named] = await queue.enqueue([job('a'), job('b', { cwd: '/tmp' })]);
  assert.deepEqual([plain?.cwd, named?.cwd], ['/', '/tmp']);
});

test('retries and timeout default to the settings at that time, and the environment wins over stored settings', async (t) => {
  const queue = await openQueue(t, { environment: { QUEUECTL_JOB_TIMEOUT: '9' } });
  await queue.setSetting('max_retries', '5');
  await queue.setSetting('job_timeout', '60');
  const [before] = await queue.enqueue([job('a')]);
  await queue.setSetting('max_retries', '1');
  assert.deepEqual([before?.maxRetries, before?.timeoutSeconds], [5, 9]);
  assert.equal((await queue.find('a')).maxRetries, 5);
  assert.equal((await queue.enqueue([job('b')]))[0]?.maxRetries, 1);
});

test('an intake keeps the settings that it started with', async (t) => {
  const queue = await openQueue(t);
  const intake = await queue.intake();
  await queue.setSetting('max_retries', '9');
  const [stored] = await intake.enqueue([intake.read(job('a'))]);
  assert.equal(stored?.maxRetries, 3);
});

test('an intake reads without storing, and staged jobs exist once they are committed', async (t) => {
  const queue = await openQueue(t);
  const intake = await queue.intake({ priority: 2 });
  const read = [intake.read(job('a')), intake.read(job('b'))];
  assert.deepEqual(await idsIn(queue), []);
  const staging = await intake.stage();
  await staging.add(read);
  assert.deepEqual(await idsIn(queue), []);
  assert.equal(await staging.commit(), 2);
  assert.deepEqual(
    (await queue.list(ALL)).map(({ id, priority }) => [id, priority]),
    [
      ['a', 2],
      ['b', 2],
    ],
  );
});

test('jobs that give only a command equal jobs that spell out the defaults, apart from ID and command', async (t) => {
  const queue = await openQueue(t);
  for (const overrides of [{}, { priority: 2 }]) {
    const { read } = await queue.intake(overrides);
    const jobs = ['true', 'false', 'echo hi'].map((command) => read({ command }));
    const { id: _, ...first } = read({ id: 'x', command: 'true' });
    for (const [i, { id, ...rest }] of jobs.entries()) {
      assert.match(id, /^[0-9a-z]{10}$/);
      assert.deepEqual(rest, { ...first, command: ['true', 'false', 'echo hi'][i] });
    }
    assert.equal(new Set(jobs.map(({ id }) => id)).size, 3);
    for (const command of ['', '  ', 'a\0b', 7]) assert.throws(() => read({ command }));
    assert.deepEqual(read({ command: ['ls', '-l'] }).command, ['ls', '-l']);
    assert.equal(read({ command: 'true', queue: 'mail' }).queue, 'mail');
  }
});

test('a discarded staging leaves nothing', async (t) => {
  const queue = await openQueue(t);
  const intake = await queue.intake();
  const staging = await intake.stage();
  await staging.add([intake.read(job('a'))]);
  await staging.discard();
  assert.deepEqual(await idsIn(queue), []);
  await queue.enqueue([job('a')]);
});

test("the shell's environment is stored unless the caller or a setting prevents that", async (t) => {
  const shellEnvironment = { EDITOR: 'ed' };
  const queue = await openQueue(t, { shellEnvironment });
  await queue.enqueue([job('kept')]);
  await queue.enqueue([job('rejected')], {}, false);
  await queue.setSetting('inherit_environment', 'off');
  await queue.enqueue([job('off')]);
  await queue.enqueue([job('asked')], {}, true);
  const of = (id: string) => queue.store.environments.ofJob(id);
  assert.deepEqual(await of('kept'), shellEnvironment);
  assert.deepEqual([await of('rejected'), await of('off')], [null, null]);
  assert.deepEqual(await of('asked'), shellEnvironment);
});

test('a program without a shell has no environment to store, even on request', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')], {}, true);
  assert.equal(await queue.store.environments.ofJob('a'), null);
});
