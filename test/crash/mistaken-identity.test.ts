// Dead workers and those that only look dead: other boots, reused PIDs, other hosts.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { processEntry } from '../../src/process/tree/proc.ts';
import { type Fleet, type ForegroundWorker, isAlive, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** A process unrelated to the queue that leads a group, like a program in a terminal. */
function bystander(t: TestContext): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  assert.ok(child.pid);
  return child as ChildProcess & { pid: number };
}

const startTimeOf = (pid: number): string => processEntry(pid)?.startedAt ?? '';

/** A job of a killed worker, without any remaining process. */
async function abandonedJob(fleet: Fleet): Promise<ForegroundWorker> {
  await fleet.add({ id: 'a', command: 'echo x >> ran; [ $(wc -l < ran) -gt 1 ] || sleep 60' });
  const worker = await fleet.worker();
  await fleet.untilLines('ran', 1);
  const pid = await until('its pid is written down', async () => (await fleet.history('a'))[0]?.pid);
  worker.kill('SIGKILL');
  await worker.ended;
  process.kill(-Number(pid), 'SIGKILL');
  return worker;
}

test('a worker of an earlier boot is lost when its lease expires, whichever process has its PID now', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 1.5, heartbeat_interval: 0.2 });
  const lost = await abandonedJob(fleet);
  const innocent = bystander(t);
  const earlier = '00000000-0000-0000-0000-000000000000/1';
  fleet.tamper(
    'UPDATE workers SET boot_id = ?, pid = ?, pid_started_at = ?',
    earlier,
    innocent.pid,
    startTimeOf(innocent.pid),
  );
  fleet.tamper(
    'UPDATE attempts SET boot_id = ?, pid = ?, pid_started_at = ?',
    earlier,
    innocent.pid,
    startTimeOf(innocent.pid),
  );
  await until('it is lost', async () => (await fleet.workerOf(lost.id))?.state === 'lost');
  await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
  assert.ok(isAlive(innocent.pid), 'it had nothing to do with it');
});

test('a worker whose PID was reused is dead, and the new process is left alone', async (t) => {
  const fleet = await newFleet(t);
  const lost = await abandonedJob(fleet);
  const innocent = bystander(t);
  fleet.tamper('UPDATE workers SET pid = ?', innocent.pid); // keeps the start time of the dead process
  assert.equal((await fleet.workerOf(lost.id))?.state, 'lost');
  await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
  assert.ok(isAlive(innocent.pid));
});

test('a process with the reused PID of a dead job is left alone when the job runs again', async (t) => {
  const fleet = await newFleet(t);
  await abandonedJob(fleet);
  const innocent = bystander(t);
  fleet.tamper('UPDATE attempts SET pid = ?', innocent.pid); // keeps the start time of the dead process
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  assert.ok(isAlive(innocent.pid));
});

test('worker stop --force does not signal a process with the reused PID of a worker', async (t) => {
  const fleet = await newFleet(t);
  const lost = await abandonedJob(fleet);
  const innocent = bystander(t);
  fleet.tamper('UPDATE workers SET pid = ?', innocent.pid);
  await fleet.cli.text('worker', 'stop', '--force');
  assert.ok(isAlive(innocent.pid));
  assert.equal(await fleet.workerOf(lost.id), undefined);
  assert.equal((await fleet.job('a')).state, 'pending');
});

test('a worker of another host is lost only after a whole lease without a heartbeat', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 1.5, heartbeat_interval: 0.2 });
  const lost = await abandonedJob(fleet);
  fleet.tamper("UPDATE workers SET host = 'elsewhere', boot_id = 'another'");
  const worker = await fleet.worker();
  const since = (await fleet.workerOf(worker.id))?.startedAt ?? 0;
  const job = await fleet.untilState('a', 'completed');
  assert.ok(Number(job.startedAt) - since >= 1500, 'it was given its whole lease');
  assert.deepEqual([job.attempts, job.interruptions], [1, 1]);
  assert.equal(await fleet.workerOf(lost.id), undefined);
});

test('a worker of another host that sends heartbeats keeps its job', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 1, heartbeat_interval: 0.2 });
  await fleet.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.02; done' });
  const there = fleet.cli.start(['worker', 'run'], { env: { QUEUECTL_HOST: 'elsewhere' } });
  await fleet.untilState('a', 'processing');
  const here = await fleet.worker();
  const before = (await fleet.workerOf(here.id))?.lastHeartbeat ?? 0;
  await until('time passes', async () => ((await fleet.workerOf(here.id))?.lastHeartbeat ?? 0) > before + 2500);
  await fleet.cli.sh('touch end');
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [1, 0]);
  assert.ok(isAlive(there.pid));
});
