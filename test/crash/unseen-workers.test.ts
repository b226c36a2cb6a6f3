// Workers that share a file but cannot see each other, as in two containers: the guard stops a dead worker's jobs, and
// host names do not identify machines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fleet, isAlive, newFleet, send } from '../support/fleet.ts';
import { beating, expectNoOverlap, type Run } from '../support/hosts.ts';
import { until } from '../support/until.ts';

const SHORT_LEASE = { lease_duration: 4, heartbeat_interval: 0.3, kill_grace: 0.5 };

function runsOf(fleet: Fleet, jobId: string): Run[] {
  const runs = new Map<string, Run>();
  for (const line of fleet.lines('beats')) {
    const [job, host = '', pid = '', at] = line.split(' ');
    if (job === jobId)
      runs.set(pid, { host, pid: Number(pid), began: runs.get(pid)?.began ?? Number(at), last: Number(at) });
  }
  return [...runs.values()];
}

const inContainer = (fleet: Fleet, name: string, ...args: string[]) =>
  fleet.workerWith({ QUEUECTL_HOST: name }, ...args);

for (const [fate, signal] of [
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
] as const) {
  for (const [kind, command] of [
    ['a job', beating()],
    ['a job that forgot its mark', `exec env -i PATH="$PATH" QUEUECTL_JOB_ID=x QUEUECTL_HOST=one sh -c '${beating()}'`],
  ] as const) {
    test(`${kind} whose worker was ${fate} in its container is stopped before it runs in another`, async (t) => {
      const fleet = await newFleet(t, SHORT_LEASE);
      await fleet.add({ id: 'x', command, max_retries: 0 });
      const first = await inContainer(fleet, 'one');
      await fleet.untilLines('beats', 1);
      const second = await inContainer(fleet, 'two');
      await until('each has seen the other', () => first.stderr().includes('guard'));
      send(first.pid, signal);
      await until('it runs again', async () => (await fleet.job('x')).lockedBy === second.id);
      await until('it beats again', () => runsOf(fleet, 'x').length === 2);
      await fleet.cli.sh('touch end');
      const job = await fleet.untilState('x', 'completed');
      expectNoOverlap(runsOf(fleet, 'x'));
      assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
      send(first.pid, 'SIGCONT');
    });
  }
}

test('two live machines with the same name leave each other alone', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 2, heartbeat_interval: 0.2, kill_grace: 0.5 });
  await fleet.add({ id: 'x', command: beating(), max_retries: 0 });
  const here = await fleet.worker();
  await fleet.untilLines('beats', 1);
  const [record] = await fleet.queue.store.workers();
  assert.ok(record);
  const there = { ...record, id: 'wthere', bootId: '00000000-0000-4000-8000-000000000001/1' };
  await fleet.queue.store.registerWorker(there);
  const renewed = setInterval(() => void fleet.queue.store.renew('wthere', { notice: null, leaseMs: 2000 }), 200);
  const before = (await fleet.workerOf(here.id))?.lastHeartbeat ?? 0;
  await until('time passes', async () => ((await fleet.workerOf(here.id))?.lastHeartbeat ?? 0) > before + 5000);
  assert.notEqual(await fleet.workerOf('wthere'), undefined, 'it gives signs of life');
  clearInterval(renewed);
  await until('its lease is over', async () => (await fleet.workerOf('wthere')) === undefined);
  assert.equal(isAlive(here.pid), true);
  await fleet.cli.sh('touch end');
  assert.equal((await fleet.untilState('x', 'completed')).interruptions, 0);
});

test('worker stop does not wait for a dead worker that is not visible', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 1, heartbeat_interval: 0.2 });
  await fleet.worker();
  const [record] = await fleet.queue.store.workers();
  assert.ok(record);
  await fleet.queue.store.registerWorker({ ...record, id: 'wdead', bootId: 'another', leaseMs: 1000 });
  await fleet.cli.text('worker', 'stop');
  assert.deepEqual(
    (await fleet.queue.workers()).filter(({ state }) => state !== 'lost'),
    [],
  );
});
