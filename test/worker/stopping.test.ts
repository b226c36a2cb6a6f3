// The ways to stop a worker: graceful, forced, by signal, or when nothing is left to do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Fleet, fixture, isAlive, NO_POLL, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** A job that runs until the test releases it. */
const UNTIL_TOLD = 'touch running; until [ -e end ]; do sleep 0.02; done; echo done';
const letEnd = (fleet: Fleet) => fleet.cli.sh('touch end');

async function expectPutBack(fleet: Fleet, id: string): Promise<void> {
  const job = await fleet.job(id);
  assert.deepEqual([job.state, job.attempts, job.interruptions, job.lockedBy], ['pending', 0, 0, null]);
  assert.deepEqual(await fleet.outcomes(id), ['released']);
}

test('worker stop waits for the running job and leaves no process', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: UNTIL_TOLD }, { id: 'b', command: 'true' });
  const [worker] = await fleet.start();
  await fleet.untilState('a', 'processing');
  const stop = fleet.cli.start(['worker', 'stop']);
  await until('it is stopping', async () => (await fleet.workerOf(worker?.id ?? ''))?.state === 'stopping');
  assert.ok(isAlive(stop.pid), 'it waits');
  await letEnd(fleet);
  const { code, stdout } = await stop.ended;
  assert.deepEqual([code, stdout], [0, `${worker?.id}  stopped\n`]);
  assert.deepEqual(fleet.processes(), [], 'nothing is left when it returns');
  assert.equal((await fleet.job('a')).state, 'completed');
  assert.equal((await fleet.job('b')).state, 'pending', 'it took no new job');
  assert.deepEqual(await fleet.queue.workers(), []);
});

test('worker stop reaches an idle worker at once without polling', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  const workers = await fleet.start('--count', '3');
  const { code } = await fleet.cli.run(['worker', 'stop', '--timeout', '5']);
  assert.equal(code, 0);
  assert.deepEqual(
    workers.filter(({ pid }) => isAlive(pid)),
    [],
  );
});

test('worker stop repeats the request for a worker that was considered lost and registered again', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  const worker = await fleet.worker();
  await fleet.freeze(worker);
  const stop = fleet.cli.start(['worker', 'stop']);
  const isAsked = async () => (await fleet.workerOf(worker.id))?.state === 'stopping';
  await until('it is asked', isAsked);
  const db = new DatabaseSync(fleet.cli.db, { timeout: 10_000 });
  db.exec('UPDATE workers SET stop_requested = NULL'); // as in the new record of a worker without a stop request
  db.close();
  await until('it is asked again', isAsked);
  worker.kill('SIGCONT');
  assert.equal((await stop.ended).code, 0);
  assert.equal((await worker.ended).code, 0);
});

test('a worker that is stopped while jobs arrive claims none of them', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  const worker = await fleet.worker('--concurrency', '4');
  await fleet.freeze(worker);
  await fleet.add(...[1, 2, 3, 4].map((i) => ({ id: `job-${i}`, command: 'echo x >> ran' })));
  await fleet.queue.store.requestStop([worker.id], 'graceful');
  worker.kill('SIGCONT');
  await worker.ended;
  assert.deepEqual(fleet.lines('ran'), []);
  assert.equal(await fleet.count('pending'), 4);
});

test('worker stop ID stops only that worker', async (t) => {
  const fleet = await newFleet(t);
  const [first, second] = await fleet.start('--count', '2');
  await fleet.cli.text('worker', 'stop', first?.id ?? '');
  assert.deepEqual([isAlive(first?.pid ?? 0), isAlive(second?.pid ?? 0)], [false, true]);
  await fleet.add({ id: 'a', command: 'true' });
  await fleet.untilState('a', 'completed');
});

test('worker stop --force stops the running job with its tree and requeues it without counting the attempt', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: ['sh', fixture('family.sh'), 'pids'] });
  const [worker] = await fleet.start();
  const family = (await fleet.untilLines('pids', 4)).map(Number);
  await fleet.cli.text('worker', 'stop', '--force');
  assert.deepEqual([...family, worker?.pid ?? 0].filter(isAlive), []);
  await expectPutBack(fleet, 'a');
  assert.match(await fleet.log('a'), /--- END \S+Z released ---\n$/);
});

test('a job requeued by force runs again with all its retries', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.05 });
  await fleet.add({ id: 'a', command: `[ -e running ] && exit 1; ${UNTIL_TOLD}`, max_retries: 1 });
  await fleet.start();
  await fleet.untilState('a', 'processing');
  await until('it runs', async () => (await fleet.history('a'))[0]?.pid);
  await fleet.cli.sh('until [ -e running ]; do sleep 0.01; done');
  await fleet.cli.text('worker', 'stop', '--force');
  await fleet.worker();
  assert.equal((await fleet.untilState('a', 'dead')).attempts, 2);
  assert.deepEqual(await fleet.outcomes('a'), ['released', 'failed', 'failed']);
});

test('a job that exits cleanly when its worker is stopped by force is requeued', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'trap "exit 0" TERM; touch running; while :; do sleep 0.01; done' });
  await fleet.start();
  await fleet.cli.sh('until [ -e running ]; do sleep 0.01; done');
  await fleet.cli.text('worker', 'stop', '--force');
  await expectPutBack(fleet, 'a');
});

test('worker stop --force after a graceful stop does not wait for the job', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: UNTIL_TOLD });
  await fleet.start();
  await fleet.untilState('a', 'processing');
  const patient = fleet.cli.start(['worker', 'stop']);
  await until('it is stopping', async () => (await fleet.queue.workers())[0]?.state === 'stopping');
  await fleet.cli.text('worker', 'stop', '--force');
  assert.equal((await patient.ended).code, 0);
  await expectPutBack(fleet, 'a');
});

test('worker stop --timeout gives up with exit code 1 while jobs run, and the workers still stop', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: UNTIL_TOLD });
  const [worker] = await fleet.start();
  await fleet.untilState('a', 'processing');
  const said = await fleet.cli.rejected(1, ['worker', 'stop', '--timeout', '0.3']);
  assert.match(said, /1 worker still running after 0.3 s/);
  assert.equal((await fleet.job('a')).state, 'processing');
  await letEnd(fleet);
  await until('it has left', () => !isAlive(worker?.pid ?? 0));
  assert.equal((await fleet.job('a')).state, 'completed');
});

test('worker stop --no-wait returns at once; the worker leaves when its job has finished', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: UNTIL_TOLD });
  const [worker] = await fleet.start();
  await fleet.untilState('a', 'processing');
  assert.equal(await fleet.cli.text('worker', 'stop', '--no-wait'), `${worker?.id}  stopping\n`);
  assert.ok(isAlive(worker?.pid ?? 0));
  await letEnd(fleet);
  await until('it has left', () => !isAlive(worker?.pid ?? 0));
  assert.equal((await fleet.job('a')).state, 'completed');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`a worker in the foreground finishes its job after one ${signal}`, async (t) => {
    const fleet = await newFleet(t);
    await fleet.add({ id: 'a', command: UNTIL_TOLD }, { id: 'b', command: 'true' });
    const worker = await fleet.worker();
    await fleet.untilState('a', 'processing');
    worker.kill(signal);
    await until('it has heard', () => worker.stderr().includes('stopping: waiting for its jobs to finish'));
    await letEnd(fleet);
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual([(await fleet.job('a')).state, (await fleet.job('b')).state], ['completed', 'pending']);
  });

  test(`a second ${signal} stops the job and requeues it`, async (t) => {
    const fleet = await newFleet(t);
    await fleet.add({ id: 'a', command: ['sh', fixture('family.sh'), 'pids'] });
    const worker = await fleet.worker();
    const family = (await fleet.untilLines('pids', 4)).map(Number);
    worker.kill(signal);
    await until('it has heard', () => worker.stderr().includes('stopping'));
    worker.kill(signal);
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(family.filter(isAlive), []);
    await expectPutBack(fleet, 'a');
  });
}

test('a worker in the foreground can be stopped from another terminal', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  const worker = await fleet.worker();
  await fleet.cli.text('worker', 'stop');
  assert.equal((await worker.ended).code, 0);
});

test('--drain exits when nothing is left to do, including retries and scheduled jobs', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.2 });
  await fleet.add(
    { id: 'good', command: 'true' },
    { id: 'bad', command: 'exit 1', max_retries: 1 },
    { id: 'later', command: 'true', delay_seconds: 0.8 },
    { id: 'elsewhere', command: 'true', queue: 'other' },
  );
  const { code } = await fleet.cli.run(['worker', 'run', '--drain', '--queue', 'default']);
  assert.equal(code, 0);
  const states = await Promise.all(
    ['good', 'bad', 'later', 'elsewhere'].map(async (id) => (await fleet.job(id)).state),
  );
  assert.deepEqual(states, ['completed', 'dead', 'completed', 'pending']);
});

test('a background worker with --drain exits by itself', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add(...Array.from({ length: 10 }, (_, i) => ({ id: `job-${i}`, command: 'sleep 0.05' })));
  const workers = await fleet.start('--count', '2', '--drain');
  await until('they have left', () => workers.every(({ pid }) => !isAlive(pid)));
  assert.equal(await fleet.count('completed'), 10);
  assert.equal((await fleet.start('--drain')).length, 1, 'with nothing to do it comes and goes');
});

test('worker stop without workers does nothing', async (t) => {
  const fleet = await newFleet(t);
  assert.equal(await fleet.cli.text('worker', 'stop'), 'no worker is running\n');
});

test('a worker that finds a newer schema finishes its job, claims no other, and reports why it exits', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: UNTIL_TOLD }, { id: 'b', command: 'true' });
  const [worker] = await fleet.start();
  await fleet.untilState('a', 'processing');
  const database = new DatabaseSync(fleet.queue.place.db, { timeout: 10_000 });
  database.exec('PRAGMA user_version = 999');
  database.close();
  await until('everybody sees that it leaves', async () => (await fleet.queue.workers())[0]?.state === 'stopping');
  await letEnd(fleet);
  await fleet.untilState('a', 'completed');
  await until('it has left', async () => (await fleet.queue.workers()).length === 0);
  assert.equal((await fleet.job('b')).state, 'pending');
  const log = join(fleet.queue.place.run, `${worker?.id}.log`);
  await until('its log says why', () =>
    /the database was migrated by a newer queuectl/.test(readFileSync(log, 'utf8')),
  );
});
