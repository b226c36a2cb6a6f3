// The guard as a separate process: when and how it stops jobs.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hostClockMs } from '../../src/process/tree/host-clock.ts';
import { Settings } from '../../src/settings/settings.ts';
import { Guard } from '../../src/worker/guard/guard.ts';
import { LeaseClock } from '../../src/worker/guard/lease-clock.ts';

const LEASE = 'w/1/1';
const PROGRAM = join(import.meta.dirname, '../../src/worker/guard/guard-main.ts');
const LONG_MS = 600_000;

function newGuard(t: TestContext): Guard {
  const guard = new Guard([PROGRAM], 'w');
  t.after(() => guard.leave());
  return guard;
}

/** Ignores TERM and runs until it is killed. */
async function stubbornJob(t: TestContext): Promise<ChildProcess> {
  const script = `trap '' TERM; echo ready; while :; do sleep 0.05; done`;
  const env = { ...process.env, QUEUECTL_LEASE: LEASE };
  const job = spawn('sh', ['-c', script], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => job.kill('SIGKILL'));
  await once(job.stdout, 'data');
  return job;
}

test('a guard uses the last grace period from its worker', async (t) => {
  const guard = newGuard(t);
  const job = await stubbornJob(t);
  guard.begins(LEASE);
  guard.sureUntil({ untilMs: hostClockMs() + LONG_MS, graceMs: LONG_MS, patienceMs: 0 });
  guard.sureUntil({ untilMs: hostClockMs(), graceMs: 0, patienceMs: 0 });
  const [, signal] = await once(job, 'exit', { signal: AbortSignal.timeout(20_000) });
  assert.equal(signal, 'SIGKILL');
});

test('a longer lease counts from the next heartbeat on, because others know the old one', () => {
  let stored = { lease_duration: '4', kill_grace: '1' };
  const told: number[] = [];
  const clock = new LeaseClock(
    () => new Settings(stored, {}),
    true,
    () => {},
  );
  clock.guardedBy({ sureUntil: ({ untilMs }) => told.push(untilMs), leave: async () => {} });
  const renewedAt = clock.now - 3000;
  clock.renewed(renewedAt);
  stored = { lease_duration: '60', kill_grace: '0' };
  assert.equal(clock.hasRunOut, true, 'after 0.9 leases minus the grace');
  assert.equal(clock.startUntilMs, renewedAt + 2000);
  clock.renewed(renewedAt);
  assert.equal(clock.hasRunOut, false);
  assert.deepEqual(told.slice(1), [renewedAt + 2700, renewedAt + 54_100]);
  void clock.end();
});
