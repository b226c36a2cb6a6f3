// A worker that is frozen past its lease: another takes over, and the frozen one notices when it wakes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive, NO_POLL, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const SHORT_LEASE = { lease_duration: 1, heartbeat_interval: 0.2 };

test('a frozen worker loses its job to another, writes nothing about it when it wakes, and continues', async (t) => {
  const fleet = await newFleet(t, SHORT_LEASE);
  await fleet.add({
    id: 'a',
    command: 'until [ -e end ]; do echo $QUEUECTL_WORKER_ID >> beats; sleep 0.02; done',
  });
  const frozen = await fleet.worker();
  await fleet.untilLines('beats', 1);
  const other = await fleet.worker();
  await fleet.freeze(frozen);
  await until('the other has taken over', () => fleet.lines('beats').includes(other.id));
  const beats = fleet.lines('beats');
  assert.ok(beats.lastIndexOf(frozen.id) < beats.indexOf(other.id), 'its tree was ended first');
  const [lost] = await fleet.history('a');
  assert.equal(lost?.outcome, 'worker_lost');
  await until('its log is closed', async () => (await fleet.log('a', 1)).includes('worker lost'));
  const log = await fleet.log('a', 1);

  frozen.kill('SIGCONT');
  await until('it is back', async () => (await fleet.workerOf(frozen.id)) !== undefined);
  await until('it says so', () => frozen.stderr().includes('considered lost by other workers'));
  assert.deepEqual((await fleet.history('a'))[0], lost, 'its attempt stays as it was recorded');
  assert.equal(await fleet.log('a', 1), log, 'and its log too');
  assert.equal((await fleet.job('a')).lockedBy, other.id);

  await fleet.add({ id: 'b', command: 'echo $QUEUECTL_WORKER_ID >> ran' });
  assert.deepEqual(await fleet.untilLines('ran', 1), [frozen.id], 'the other one is busy');
  await fleet.cli.sh('touch end');
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
  assert.ok(!fleet.lines('beats').slice(beats.indexOf(other.id)).includes(frozen.id));
});

test('a worker that is frozen for less than its lease keeps its job', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 30, heartbeat_interval: 0.2 });
  await fleet.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.02; done' });
  const frozen = await fleet.worker();
  await fleet.untilState('a', 'processing');
  const other = await fleet.worker();
  await fleet.freeze(frozen);
  const before = (await fleet.workerOf(other.id))?.lastHeartbeat ?? 0;
  await until('time passes', async () => ((await fleet.workerOf(other.id))?.lastHeartbeat ?? 0) > before + 1500);
  frozen.kill('SIGCONT');
  await fleet.cli.sh('touch end');
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [1, 0]);
  assert.equal((await fleet.history('a'))[0]?.workerId, frozen.id);
});

test('a worker whose queue is reset stops its jobs, registers again and continues', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.add({ id: 'a', command: 'echo $$ >> pids; sleep 60' });
  const worker = await fleet.worker();
  const [pid] = (await fleet.untilLines('pids', 1)).map(Number);
  await fleet.queue.reset();
  await until('what it ran has ended', () => !isAlive(pid ?? 0));
  await fleet.add({ id: 'a', command: 'true' });
  await fleet.untilState('a', 'completed');
  assert.equal((await fleet.history('a'))[0]?.workerId, worker.id);
});
