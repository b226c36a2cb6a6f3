// Processes that escape from a job: without its mark, in their own session, without a parent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allPids, anyEntry } from '../../src/process/tree/proc.ts';
import { QUEUECTL } from '../cli/support.ts';
import { isAlive, newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';

test('a child without mark, session and parent is stopped when its job times out', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 0.5 });
  const command = '(setsid env -i sh -c "echo \\$\\$ >> pids; exec sleep 60" &); exec sleep 60';
  await fleet.worker();
  await fleet.add({ id: 'a', command, timeout_seconds: 1, max_retries: 0 });
  const [stray = 0] = (await fleet.untilLines('pids', 1)).map(Number);
  const job = await fleet.untilState('a', 'dead');
  assert.match(job.lastError ?? '', /timeout/);
  assert.ok(!isAlive(stray));
});

test('processes left by a completed job outlive later jobs', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 0.5 });
  const command = '(setsid env -i sh -c "echo \\$\\$ >> pids; exec sleep 60" >/dev/null 2>&1 &)';
  await fleet.worker();
  await fleet.add({ id: 'a', command });
  const [daemon = 0] = (await fleet.untilLines('pids', 1)).map(Number);
  await fleet.untilState('a', 'completed');
  await fleet.add({ id: 'b', command: 'exec sleep 60', timeout_seconds: 0.5, max_retries: 0 });
  await fleet.untilState('b', 'dead');
  assert.ok(isAlive(daemon));
  send(daemon, 'SIGKILL');
});

test('orphans are not left as zombies', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.worker();
  await fleet.add({ id: 'a', command: '(sleep 0.2 & echo $! >> pids); sleep 0.05' });
  const [orphan = 0] = (await fleet.untilLines('pids', 1)).map(Number);
  await fleet.untilState('a', 'completed');
  await until('nothing is left of it', () => zombiesOf(worker.pid).length === 0 && !isAlive(orphan));
});

function zombiesOf(parent: number): number[] {
  return allPids().filter((pid) => {
    const entry = anyEntry(pid);
    return entry?.isZombie && entry.parent === parent;
  });
}

test('a worker that a job starts is not part of that job', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 0.5 });
  const outer = await fleet.worker();
  const command = `"${QUEUECTL}" worker start; exec sleep 60`;
  await fleet.add({ id: 'a', command, timeout_seconds: 3, max_retries: 0 });
  await fleet.untilState('a', 'dead');
  const others = (await fleet.queue.workers()).filter(({ id }) => id !== outer.id);
  assert.deepEqual(
    others.map(({ pid }) => isAlive(pid)),
    [true],
  );
});
