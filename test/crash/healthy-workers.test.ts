// Situations that must not look like a dead worker: a locked store, a suspended machine, a copied queue, and different
// leases.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { processesWith } from '../support/processes.ts';
import { type Fleet, isAlive, newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const SHORT_LEASE = { lease_duration: 1, heartbeat_interval: 0.2, kill_grace: 0.5 };
const UNTIL_END = 'echo $$ >> pids; until [ -e end ]; do sleep 0.02; done';

/** Starts each job on its own worker. */
async function runningJobs(fleet: Fleet, count: number): Promise<number[]> {
  for (let i = 0; i < count; i++) {
    await fleet.worker();
    await fleet.add({ id: `j${i}`, command: UNTIL_END, max_retries: 0 });
    await fleet.untilLines('pids', i + 1);
  }
  return fleet.lines('pids').map(Number);
}

async function expectUndisturbed(fleet: Fleet, count: number): Promise<void> {
  await fleet.cli.sh('touch end');
  for (let i = 0; i < count; i++) {
    const job = await fleet.untilFinal(`j${i}`);
    assert.deepEqual([job.state, job.attempts, job.interruptions], ['completed', 1, 0], job.lastError ?? '');
  }
}

/** Waits until every worker's heartbeat has advanced by this time. */
async function untilAllRenewed(fleet: Fleet, ms: number): Promise<void> {
  const heartbeats = async () => (await fleet.queue.workers()).map(({ lastHeartbeat }) => lastHeartbeat);
  const before = Math.max(...(await heartbeats()));
  await until(`${ms} ms pass`, async () => Math.min(...(await heartbeats())) > before + ms);
}

test('no job is lost if the store is locked for longer than a lease', async (t) => {
  const fleet = await newFleet(t, SHORT_LEASE);
  const pids = await runningJobs(fleet, 3);
  const db = new DatabaseSync(fleet.cli.db, { timeout: 10_000 });
  db.exec('BEGIN IMMEDIATE');
  const since = performance.now();
  await until('three leases have passed', () => performance.now() - since > 3000);
  db.exec('COMMIT');
  db.close();
  await untilAllRenewed(fleet, 2500);
  assert.deepEqual(pids.filter(isAlive), pids);
  await expectUndisturbed(fleet, 3);
});

test('all jobs continue after everything was frozen for longer than a lease', async (t) => {
  const fleet = await newFleet(t, SHORT_LEASE);
  const pids = await runningJobs(fleet, 3);
  const all = processesWith(fleet.cli.folder).map(({ pid }) => pid);
  for (const pid of all) send(pid, 'SIGSTOP');
  const since = performance.now();
  await until('three leases have passed', () => performance.now() - since > 3000);
  for (const pid of all) send(pid, 'SIGCONT');
  await untilAllRenewed(fleet, 2500);
  assert.deepEqual(pids.filter(isAlive), pids);
  await expectUndisturbed(fleet, 3);
});

test('a worker on a copy of the queue leaves the jobs of the original alone', async (t) => {
  const fleet = await newFleet(t, SHORT_LEASE);
  const pids = await runningJobs(fleet, 2);
  fs.mkdirSync(fleet.path('copy'));
  const db = new DatabaseSync(fleet.cli.db, { timeout: 10_000 });
  db.exec(`VACUUM INTO '${fleet.path('copy/queue.db')}'`);
  db.close();
  const onCopy = fleet.cli.start(['--db', fleet.path('copy/queue.db'), 'worker', 'run', '--concurrency', '2']);
  await fleet.untilLines('pids', 4);
  assert.deepEqual(pids.filter(isAlive), pids);
  await expectUndisturbed(fleet, 2);
  onCopy.kill('SIGTERM');
  assert.equal((await onCopy.ended).code, 0);
});

test('a worker is judged by its own lease, not by that of the observer', async (t) => {
  const fleet = await newFleet(t, { ...SHORT_LEASE });
  await fleet.add({ id: 'j0', command: UNTIL_END, max_retries: 0 });
  const patient = await fleet.workerWith({ QUEUECTL_LEASE_DURATION: '60' });
  await fleet.untilLines('pids', 1);
  const hasty = await fleet.worker();
  await fleet.freeze(patient);
  const before = (await fleet.workerOf(hasty.id))?.lastHeartbeat ?? 0;
  await until('time passes', async () => ((await fleet.workerOf(hasty.id))?.lastHeartbeat ?? 0) > before + 4000);
  patient.kill('SIGCONT');
  await expectUndisturbed(fleet, 1);
});
