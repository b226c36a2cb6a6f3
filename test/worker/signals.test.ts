// Signals always stop a worker, whatever it waits for or is about to start.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { isAlive, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const DEAF_AT_FIRST = '[ -e pids ] && exit; trap "" TERM; echo $$ >> pids; while :; do sleep 0.05; done';

test('a job claimed during a forced stop is not started', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 0.2 });
  const worker = await fleet.worker();
  await fleet.add({ id: 'first', command: 'until [ -e end ]; do sleep 0.02; done; echo ended >> ended' });
  await fleet.untilState('first', 'processing');
  await fleet.add({ id: 'a', command: 'echo x >> ran; sleep 60' });
  const db = new DatabaseSync(fleet.cli.db, { timeout: 10_000 });
  db.exec('BEGIN IMMEDIATE'); // delays the turn that settles the first job and claims the next
  await fleet.cli.sh('touch end');
  await fleet.untilLines('ended', 1);
  await until('the first one has ended', () => worker.stderr().includes('completed  first'));
  worker.kill('SIGTERM');
  await until('it has heard', () => worker.stderr().includes('waiting for its jobs to finish'));
  worker.kill('SIGINT');
  await until('it has heard again', () => worker.stderr().includes('stopping and requeueing its jobs'));
  db.exec('COMMIT');
  db.close();
  assert.equal((await worker.ended).code, 0);
  assert.equal(fs.existsSync(fleet.path('ran')), false);
  const [first, job] = [await fleet.job('first'), await fleet.job('a')];
  assert.deepEqual([first.state, job.state, job.attempts], ['completed', 'pending', 0]);
});

test('a third signal stops a worker at once without leaving processes', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 60 });
  const worker = await fleet.worker();
  await fleet.add({ id: 'a', command: DEAF_AT_FIRST });
  const [pid = 0] = (await fleet.untilLines('pids', 1)).map(Number);
  worker.kill('SIGTERM');
  await until('it has heard', () => worker.stderr().includes('waiting for its jobs to finish'));
  worker.kill('SIGINT');
  await until('it has heard again', () => worker.stderr().includes('stopping and requeueing its jobs'));
  worker.kill('SIGTERM');
  await worker.ended;
  assert.ok(!isAlive(pid));
  await fleet.worker();
  await fleet.untilState('a', 'completed');
});
