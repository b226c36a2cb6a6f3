// Killed workers: no job is lost, none runs twice at once, and another worker notices.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Fleet, fixture, isAlive, newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** Writes its worker's name until the file `end` exists. */
const BEATING = 'until [ -e end ]; do echo $QUEUECTL_WORKER_ID >> beats; sleep 0.02; done';

/** Checks by the order of lines that the first worker's job had ended before the second one's began. */
function expectNoOverlap(beats: readonly string[], first: string, second: string): void {
  assert.deepEqual([...new Set(beats)], [first, second]);
  assert.ok(beats.lastIndexOf(first) < beats.indexOf(second), 'they overlap');
}

async function untilBeatsOf(fleet: Fleet, worker: string, deadlineMs?: number): Promise<void> {
  await until(`${worker} runs it`, () => fleet.lines('beats').includes(worker), deadlineMs);
}

test('a job whose worker was killed runs again on another within 3 s, after its orphans were stopped', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: `${BEATING} & wait` });
  const first = await fleet.worker();
  await untilBeatsOf(fleet, first.id);
  const [before] = await fleet.history('a');
  const second = await fleet.worker();
  first.kill('SIGKILL');
  await untilBeatsOf(fleet, second.id, 3000);
  assert.ok(!isAlive(before?.pid ?? 0));
  await fleet.cli.sh('touch end');
  const job = await fleet.untilState('a', 'completed');
  expectNoOverlap(fleet.lines('beats'), first.id, second.id);
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
  assert.deepEqual(await fleet.outcomes('a'), ['worker_lost', 'completed']);
  assert.match(await fleet.log('a', 1), /\n--- END \S+Z worker lost ---\n$/);
  assert.deepEqual(
    (await fleet.queue.workers()).map(({ id }) => id),
    [second.id],
    'the dead one is forgotten',
  );
});

test('orphans that ignore TERM or left the session are stopped before the job runs again', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: `[ -e pids ] || exec sh '${fixture('family.sh')}' pids deaf` });
  const first = await fleet.worker();
  const family = (await fleet.untilLines('pids', 4)).map(Number);
  const second = await fleet.worker();
  first.kill('SIGKILL');
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual(family.filter(isAlive), []);
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
  assert.equal((await fleet.history('a'))[1]?.workerId, second.id);
});

test('without another worker the job waits for the next one to start', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: BEATING });
  const first = await fleet.worker();
  await untilBeatsOf(fleet, first.id);
  first.kill('SIGKILL');
  await first.ended;
  const second = await fleet.worker();
  await untilBeatsOf(fleet, second.id);
  await fleet.cli.sh('touch end');
  const job = await fleet.untilState('a', 'completed');
  expectNoOverlap(fleet.lines('beats'), first.id, second.id);
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
});

test('a job that finished after its worker died runs again, as jobs run at least once', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({
    id: 'a',
    command: 'echo begin >> ledger; until [ -e end ]; do sleep 0.02; done; echo end >> ledger',
  });
  const worker = await fleet.worker();
  await fleet.untilLines('ledger', 1);
  worker.kill('SIGKILL');
  await worker.ended;
  await fleet.cli.sh('touch end');
  await fleet.untilLines('ledger', 2);
  await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual(fleet.lines('ledger'), ['begin', 'end', 'begin', 'end']);
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
});

test('every job completes while all workers are killed repeatedly', async (t) => {
  const fleet = await newFleet(t);
  const ids = Array.from({ length: 100 }, (_, i) => `job-${i}`);
  await fleet.add(...ids.map((id) => ({ id, command: 'sleep 0.02; echo $QUEUECTL_JOB_ID >> ledger' })));
  for (const enough of [10, 30, 50]) {
    const workers = await fleet.start('--count', '2', '--concurrency', '3');
    await fleet.untilLines('ledger', enough);
    for (const { pid } of workers) send(pid, 'SIGKILL');
    await until('they are dead', () => workers.every(({ pid }) => !isAlive(pid)));
  }
  await fleet.start('--count', '2', '--concurrency', '3', '--drain');
  await until('all are completed', async () => (await fleet.count('completed')) === 100, 30_000);
  assert.deepEqual([...new Set(fleet.lines('ledger'))].sort(), ids.sort());
  const jobs = await fleet.queue.list({ sort: 'created', descending: false, limit: null });
  assert.ok(
    jobs.every(({ attempts }) => attempts === 1),
    'no retry was used up',
  );
  const interruptions = jobs.reduce((sum, job) => sum + job.interruptions, 0);
  assert.ok(fleet.lines('ledger').length <= 100 + interruptions, 'only what was interrupted ran twice');
  assert.deepEqual(await fleet.queue.store.check(), []);
});

test('all jobs of a lost worker run again', async (t) => {
  const fleet = await newFleet(t);
  const ids = ['a', 'b', 'c'];
  await fleet.add(
    ...ids.map((id) => ({
      id,
      command: 'echo $QUEUECTL_WORKER_ID >> ran; until [ -e end ]; do sleep 0.02; done',
    })),
  );
  const first = await fleet.worker('--concurrency', '3');
  await fleet.untilLines('ran', 3);
  const second = await fleet.worker('--concurrency', '3');
  first.kill('SIGKILL');
  assert.deepEqual((await fleet.untilLines('ran', 6)).slice(3), [second.id, second.id, second.id]);
  await fleet.cli.sh('touch end');
  for (const id of ids) assert.equal((await fleet.untilState(id, 'completed')).interruptions, 1);
});

test('a killed shell is a failed attempt of the job, which is retried', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.1 });
  await fleet.add({ id: 'a', command: '[ -e tried ] || { touch tried; sleep 60; }' });
  await fleet.worker();
  const pid = await until('it runs', async () =>
    fs.existsSync(fleet.path('tried')) ? (await fleet.history('a'))[0]?.pid : 0,
  );
  process.kill(-Number(pid), 'SIGKILL');
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [2, 0]);
  assert.deepEqual(
    (await fleet.history('a')).map(({ outcome, signal }) => [outcome, signal]),
    [
      ['signalled', 'SIGKILL'],
      ['completed', null],
    ],
  );
});

test('a cancelled job whose worker was killed is cancelled, not run again', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 30 });
  await fleet.add({ id: 'a', command: ['sh', fixture('beat.sh'), 'beats', 'x', 'deaf'] });
  const first = await fleet.worker();
  await fleet.untilLines('beats', 1);
  await fleet.queue.cancel(['a']);
  first.kill('SIGKILL');
  await fleet.worker();
  await fleet.untilState('a', 'cancelled');
  assert.deepEqual(await fleet.outcomes('a'), ['worker_lost']);
});

test('worker stop after a crash stops the orphans and requeues the job', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: ['sh', fixture('family.sh'), 'pids'] });
  const worker = await fleet.worker();
  const family = (await fleet.untilLines('pids', 4)).map(Number);
  worker.kill('SIGKILL');
  await worker.ended;
  await fleet.cli.text('worker', 'stop');
  assert.deepEqual(family.filter(isAlive), []);
  assert.deepEqual(await fleet.queue.workers(), []);
  assert.equal((await fleet.job('a')).state, 'pending');
});

test('a worker killed before it recorded a start leaves no orphan', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: BEATING });
  const first = await fleet.worker();
  await untilBeatsOf(fleet, first.id);
  first.kill('SIGKILL');
  await first.ended;
  fleet.tamper('UPDATE attempts SET pid = NULL, pid_started_at = NULL');
  const second = await fleet.worker();
  await untilBeatsOf(fleet, second.id);
  await fleet.cli.sh('touch end');
  await fleet.untilState('a', 'completed');
  expectNoOverlap(fleet.lines('beats'), first.id, second.id);
});

test('the PID file of a killed worker is removed', async (t) => {
  const fleet = await newFleet(t);
  const [first] = await fleet.start();
  const file = path.join(fleet.queue.place.run, `${first?.id}.pid`);
  assert.ok(fs.existsSync(file));
  send(first?.pid ?? 0, 'SIGKILL');
  await fleet.start();
  await until('the dead one is forgotten', async () => (await fleet.queue.workers()).length === 1);
  await until('its pid file is gone', () => !fs.existsSync(file), 3000);
});
