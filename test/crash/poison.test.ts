// A job that kills its workers becomes dead before it has killed them all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

test('a job that has killed three workers in a row becomes dead with that reason, and other jobs run', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add(
    { id: 'poison', command: 'echo x >> kills; kill -9 $PPID; sleep 60', max_retries: 9 },
    ...Array.from({ length: 5 }, (_, i) => ({ id: `good-${i}`, command: 'true' })),
  );
  const workers = await fleet.start('--count', '4');
  const job = await fleet.untilState('poison', 'dead', 20_000);
  assert.equal(job.lastError, '3 workers were lost in a row while running the job');
  assert.deepEqual([job.attempts, job.interruptions], [0, 3]);
  assert.deepEqual(await fleet.outcomes('poison'), ['worker_lost', 'worker_lost', 'worker_lost']);
  await until('the others are completed', async () => (await fleet.count('completed')) === 5);
  assert.equal(fleet.lines('kills').length, 3);
  assert.equal(workers.filter(({ pid }) => isAlive(pid)).length, 1, 'one worker survived');
});

test('a retry resets the count of lost workers', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'poison', command: '[ -e cured ] || kill -9 $PPID; [ -e cured ] || sleep 60' });
  for (let i = 1; i <= 3; i++) await fleet.cli.start(['worker', 'run']).ended;
  const last = await fleet.worker();
  await fleet.untilState('poison', 'dead');
  await fleet.cli.sh('touch cured');
  await fleet.queue.retry(['poison']);
  const job = await fleet.untilState('poison', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [1, 3]);
  assert.ok(isAlive(last.pid));
});

test('an attempt that finishes by itself resets the count of lost workers', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.05 });
  // Kills, kills, fails, kills, kills, completes.
  const command = 'echo x >> runs; case $(wc -l < runs) in 3) exit 1 ;; 6) exit 0 ;; esac; kill -9 $PPID; sleep 60';
  await fleet.add({ id: 'a', command, max_retries: 3 });
  for (let i = 1; i <= 4; i++) await fleet.cli.start(['worker', 'run']).ended;
  await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [2, 4]);
  const outcomes = ['worker_lost', 'worker_lost', 'failed', 'worker_lost', 'worker_lost', 'completed'];
  assert.deepEqual(await fleet.outcomes('a'), outcomes);
});
