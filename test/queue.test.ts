// The queue as a library: what a program gets that calls it, with errors it can tell apart.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NewJobInput, Queue } from '../src/queue.ts';
import { addDeadWorker, addWorker, claim, openQueue, runJob } from './support/library.ts';
import { refusal } from './support/refusal.ts';

const ALL = { sort: 'created', descending: false, limit: null } as const;

const idsIn = async (queue: Queue): Promise<string[]> => (await queue.list(ALL)).map(({ id }) => id);
const job = (id: string, more: object = {}): NewJobInput => ({ id, command: 'true', ...more });

suite('enqueueing', () => {
  test('jobs are answered as they are stored, in the order given', async (t) => {
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

  test('one wrong job among many keeps all of them out, and the error has a code', async (t) => {
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
      await refusal(code, () => queue.enqueue([job('first'), wrong as NewJobInput]));
    assert.deepEqual(await idsIn(queue), ['taken']);
  });

  test('what is said for all wins over what each job says itself', async (t) => {
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

  test('a job gets the folder of its queue unless it names one', async (t) => {
    const queue = await openQueue(t, { cwd: '/' });
    const [plain, named] = await queue.enqueue([job('a'), job('b', { cwd: '/tmp' })]);
    assert.deepEqual([plain?.cwd, named?.cwd], ['/', '/tmp']);
  });

  test('retries and timeout are those of the settings at that time; the environment wins over stored ones', async (t) => {
    const queue = await openQueue(t, { environment: { QUEUECTL_JOB_TIMEOUT: '9' } });
    await queue.setSetting('max_retries', '5');
    await queue.setSetting('job_timeout', '60');
    const [before] = await queue.enqueue([job('a')]);
    await queue.setSetting('max_retries', '1');
    assert.deepEqual([before?.maxRetries, before?.timeoutSeconds], [5, 9]);
    assert.equal((await queue.find('a')).maxRetries, 5);
    assert.equal((await queue.enqueue([job('b')]))[0]?.maxRetries, 1);
  });

  test('an intake keeps to the settings that it began with', async (t) => {
    const queue = await openQueue(t);
    const intake = await queue.intake();
    await queue.setSetting('max_retries', '9');
    const [stored] = await intake.enqueue([intake.read(job('a'))]);
    assert.equal(stored?.maxRetries, 3);
  });

  test('an intake reads without storing, and what it stages is there when it is committed', async (t) => {
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

  test('a staging that is discarded leaves nothing', async (t) => {
    const queue = await openQueue(t);
    const intake = await queue.intake();
    const staging = await intake.stage();
    await staging.add([intake.read(job('a'))]);
    await staging.discard();
    assert.deepEqual(await idsIn(queue), []);
    await queue.enqueue([job('a')]);
  });

  test('the environment of the shell is kept if there is one, unless the caller or a setting says no', async (t) => {
    const shellEnvironment = { EDITOR: 'ed' };
    const queue = await openQueue(t, { shellEnvironment });
    await queue.enqueue([job('kept')]);
    await queue.enqueue([job('refused')], {}, false);
    await queue.setSetting('inherit_environment', 'off');
    await queue.enqueue([job('off')]);
    await queue.enqueue([job('asked')], {}, true);
    const of = (id: string) => queue.store.environments.ofJob(id);
    assert.deepEqual(await of('kept'), shellEnvironment);
    assert.deepEqual([await of('refused'), await of('off')], [null, null]);
    assert.deepEqual(await of('asked'), shellEnvironment);
  });

  test('a program without a shell has no environment to keep, even if it asks for it', async (t) => {
    const queue = await openQueue(t);
    await queue.enqueue([job('a')], {}, true);
    assert.equal(await queue.store.environments.ofJob('a'), null);
  });
});

suite('finding and changing jobs', () => {
  test('jobs are found in the order they are named, one that is named twice once', async (t) => {
    const queue = await openQueue(t);
    await queue.enqueue([job('apple'), job('banana'), job('cherry')]);
    const found = await queue.findAll(['cherry', 'app', 'cherry', 'apple', 'ban']);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['cherry', 'apple', 'banana'],
    );
    assert.deepEqual(await queue.findAll([]), []);
  });

  test('a name that is unknown or means several is refused, and nothing is changed', async (t) => {
    const queue = await openQueue(t);
    await queue.enqueue([job('apple'), job('apricot'), job('banana')]);
    for (const change of [
      (ids: string[]) => queue.findAll(ids),
      (ids: string[]) => queue.cancel(ids),
      (ids: string[]) => queue.remove(ids),
    ]) {
      await refusal('ambiguous_id', () => change(['banana', 'ap']));
      await refusal('job_not_found', () => change(['banana', 'pear']));
    }
    assert.deepEqual(
      (await queue.list(ALL)).map(({ state }) => state),
      ['pending', 'pending', 'pending'],
    );
  });

  test('a retry can be narrowed to states, and takes all or none', async (t) => {
    const queue = await openQueue(t);
    await addWorker(queue, 'w');
    await queue.enqueue([job('good'), job('bad', { max_retries: 0 })]);
    await runJob(queue, 'good', 'w', 'completed');
    await runJob(queue, 'bad', 'w', 'failed');
    await refusal('wrong_state', () => queue.retry(['bad', 'good'], ['dead']));
    assert.equal((await queue.find('bad')).state, 'dead');
    assert.deepEqual(
      (await queue.retry(['good', 'bad'])).map(({ state, attempts }) => [state, attempts]),
      [
        ['pending', 0],
        ['pending', 0],
      ],
    );
  });

  test('what is removed is answered as it was, with its history gone', async (t) => {
    const queue = await openQueue(t);
    await addWorker(queue, 'w');
    await queue.enqueue([job('a')]);
    await runJob(queue, 'a', 'w', 'completed');
    assert.equal((await queue.history('a')).length, 1);
    assert.deepEqual(
      (await queue.remove(['a'])).map(({ id, state }) => [id, state]),
      [['a', 'completed']],
    );
    await refusal('job_not_found', () => queue.find('a'));
    assert.deepEqual(await queue.history('a'), []);
  });

  test('pruning tells how far it is, and how many there were', async (t) => {
    const queue = await openQueue(t);
    const ids = Array.from({ length: 1100 }, (_, i) => `job-${i}`);
    await queue.enqueue(ids.map((id) => job(id)));
    await queue.cancel(ids.slice(0, 1050));
    const steps: number[] = [];
    assert.equal(await queue.prune({ states: ['cancelled'] }, (done) => steps.push(done)), 1050);
    assert.ok(steps.length > 1 && steps.at(-1) === 1050, `${steps}`);
    assert.equal((await idsIn(queue)).length, 50);
    assert.equal(await queue.prune({ states: ['cancelled'] }), 0);
  });

  test('a reset forgets jobs and workers, and keeps the settings', async (t) => {
    const queue = await openQueue(t);
    await queue.setSetting('max_retries', '7');
    await queue.enqueue([job('a'), job('b')]);
    await addDeadWorker(queue, 'w');
    assert.equal(await queue.reset(), 2);
    assert.deepEqual([await idsIn(queue), await queue.workers()], [[], []]);
    assert.equal((await queue.settings()).number('max_retries'), 7);
  });
});

suite('workers', () => {
  const stateOf = async (queue: Queue, id: string) =>
    (await queue.workers()).find((worker) => worker.id === id)?.state;

  test('what a worker does is told in one word', async (t) => {
    const queue = await openQueue(t);
    for (const id of ['idle', 'busy', 'stopping']) await addWorker(queue, id);
    await queue.enqueue([job('a'), job('b')]);
    await claim(queue, 'a', 'busy');
    await claim(queue, 'b', 'stopping');
    await queue.store.requestStop(['stopping'], 'graceful');
    for (const id of ['idle', 'busy', 'stopping']) assert.equal(await stateOf(queue, id), id);
  });

  test('a worker that is dead, given up, or unseen and silent for a lease is lost', async (t) => {
    const queue = await openQueue(t);
    await addDeadWorker(queue, 'dead');
    await addWorker(queue, 'condemned');
    await queue.store.condemn('condemned');
    await addWorker(queue, 'silent', { bootId: 'elsewhere', leaseMs: -1 });
    await addWorker(queue, 'unseen', { bootId: 'elsewhere', leaseMs: 60_000 });
    await addWorker(queue, 'late', { leaseMs: -1 });
    for (const id of ['dead', 'condemned', 'silent']) assert.equal(await stateOf(queue, id), 'lost', id);
    for (const id of ['unseen', 'late']) assert.equal(await stateOf(queue, id), 'idle', id);
  });

  test('a queue is served by workers that would take a job of it, and by no others', async (t) => {
    const queue = await openQueue(t);
    await queue.enqueue([job('a')]);
    await addWorker(queue, 'for all');
    await addWorker(queue, 'for mail', { queues: ['mail', 'print'] });
    await addWorker(queue, 'for others', { queues: ['print'] });
    await addWorker(queue, 'for one job', { onlyJob: 'a' });
    await addWorker(queue, 'leaving');
    await queue.store.requestStop(['leaving'], 'graceful');
    await addDeadWorker(queue, 'dead');
    const serving = async (name: string) => (await queue.workersServing(name)).map(({ id }) => id).sort();
    assert.deepEqual(await serving('mail'), ['for all', 'for mail']);
    assert.deepEqual(await serving('default'), ['for all']);
  });

  test('a worker that is busy still serves its queue', async (t) => {
    const queue = await openQueue(t);
    await queue.enqueue([job('a')]);
    await addWorker(queue, 'w');
    await claim(queue, 'a', 'w');
    assert.equal((await queue.workersServing('default')).length, 1);
  });
});

suite('settings', () => {
  test('a setting is set by any of its names, and answered as it was understood', async (t) => {
    const queue = await openQueue(t);
    assert.deepEqual(await queue.setSetting('retries', '4'), { key: 'max_retries', value: 4 });
    assert.deepEqual(await queue.setSetting('lease-duration', '2m'), { key: 'lease_duration', value: 120 });
    const settings = await queue.settings();
    assert.deepEqual([settings.number('max_retries'), settings.source('max_retries')], [4, 'stored']);
    assert.equal(settings.ms('lease_duration'), 120_000);
  });

  test('one that is taken back has its default again', async (t) => {
    const queue = await openQueue(t);
    await queue.setSetting('max_retries', '4');
    assert.equal(await queue.unsetSetting('retries'), 'max_retries');
    const settings = await queue.settings();
    assert.deepEqual([settings.number('max_retries'), settings.source('max_retries')], [3, 'default']);
  });

  test('a wrong name and a wrong value are told apart, and nothing is stored', async (t) => {
    const queue = await openQueue(t);
    await refusal('unknown_setting', () => queue.setSetting('max_retrys', '4'));
    await refusal('unknown_setting', () => queue.unsetSetting('max_retrys'));
    await refusal('invalid_setting', () => queue.setSetting('max_retries', 'many'));
    assert.deepEqual(await queue.store.settings(), {});
  });

  test('a wrong setting in the environment is refused when the queue is opened', async (t) => {
    await refusal('invalid_setting', () => openQueue(t, { environment: { QUEUECTL_MAX_RETRIES: 'many' } }));
  });
});
