// Jobs that are stopped early, by a timeout or by a user.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, isAlive, NO_POLL, newFleet } from '../support/fleet.ts';

test('a job that takes too long is stopped and recorded as a timeout', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.1 });
  await fleet.add({ id: 'a', command: 'sleep 60', timeout_seconds: 0.3, max_retries: 1 });
  await fleet.worker();
  const job = await fleet.untilState('a', 'dead');
  assert.deepEqual([job.attempts, job.signal, job.lastError], [2, 'SIGTERM', 'timeout after 0.3 s']);
  assert.deepEqual(await fleet.outcomes('a'), ['timeout', 'timeout']);
  assert.match(await fleet.log('a'), /--- END \S+Z timeout ---\n$/);
  for (const { startedAt, endedAt } of await fleet.history('a')) {
    assert.ok(Number(endedAt) - startedAt >= 300);
    assert.ok(Number(endedAt) - startedAt < 3000, 'TERM was enough, the grace period is longer');
  }
});

test('a timeout stops the whole tree, including processes in other sessions', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  await fleet.add({ id: 'a', command: ['sh', fixture('family.sh'), 'pids'], timeout_seconds: 0.5 });
  await fleet.worker();
  const family = (await fleet.untilLines('pids', 4)).map(Number);
  assert.deepEqual(family.map(isAlive), [true, true, true, true]);
  await fleet.untilState('a', 'dead');
  assert.deepEqual(family.filter(isAlive), [], 'before the attempt is settled, all of it is gone');
});

test('a tree that ignores TERM is killed after the grace period', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0, kill_grace: 0.4 });
  await fleet.add({ id: 'a', command: ['sh', fixture('family.sh'), 'pids', 'deaf'], timeout_seconds: 0.3 });
  await fleet.worker();
  const family = (await fleet.untilLines('pids', 4)).map(Number);
  const job = await fleet.untilState('a', 'dead');
  assert.deepEqual([job.signal, job.lastError], ['SIGKILL', 'timeout after 0.3 s']);
  assert.ok(Number(job.durationMs) >= 700, `${job.durationMs} ms`);
  assert.deepEqual(family.filter(isAlive), []);
});

test('a job may use its grace period to clean up', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  const command = 'trap "echo cleaning; sleep 0.2; echo clean; exit 5" TERM; while :; do sleep 0.01; done';
  await fleet.add({ id: 'a', command, timeout_seconds: 0.3 });
  await fleet.worker();
  const job = await fleet.untilState('a', 'dead');
  assert.deepEqual([await fleet.outcomes('a'), job.exitCode, job.lastError], [['timeout'], 5, 'timeout after 0.3 s']);
  assert.match(await fleet.output('a'), /^cleaning\nclean$/m);
});

test('a job that exits cleanly after its timeout is recorded as a timeout', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  await fleet.add({
    id: 'a',
    command: 'trap "exit 0" TERM; while :; do sleep 0.01; done',
    timeout_seconds: 0.3,
  });
  await fleet.worker();
  const job = await fleet.untilFinal('a');
  assert.deepEqual([job.state, await fleet.outcomes('a')], ['dead', ['timeout']]);
});

test('a running worker uses the current grace period when it stops a job', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0, kill_grace: 3600 });
  await fleet.add({ id: 'a', command: ['sh', fixture('beat.sh'), 'beats', 'x', 'deaf'] });
  await fleet.worker();
  await fleet.untilLines('beats', 1);
  await fleet.cli.text('config', 'set', 'kill_grace', '0.2');
  await fleet.cli.text('cancel', 'a');
  assert.equal((await fleet.job('a')).signal, 'SIGKILL');
});

test('cancelling a running job stops its tree before the job is cancelled', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.add({ id: 'a', command: ['sh', fixture('family.sh'), 'pids'] });
  await fleet.worker();
  const family = (await fleet.untilLines('pids', 4)).map(Number);
  await fleet.cli.text('cancel', 'a');
  const job = await fleet.job('a');
  assert.deepEqual([job.state, job.lastError, job.lockedBy], ['cancelled', 'cancelled while running', null]);
  assert.deepEqual(family.filter(isAlive), []);
  assert.deepEqual(await fleet.outcomes('a'), ['cancelled']);
  assert.match(await fleet.log('a'), /--- END \S+Z cancelled ---\n$/);
});

test('a job that exits cleanly after cancellation is cancelled', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'trap "exit 0" TERM; touch ready; while :; do sleep 0.01; done' });
  await fleet.add({ id: 'b', command: 'true' });
  await fleet.worker();
  await fleet.cli.sh('until [ -e ready ]; do sleep 0.01; done');
  await fleet.cli.text('cancel', 'a');
  assert.equal((await fleet.job('a')).state, 'cancelled');
  await fleet.untilState('b', 'completed');
});

test('a waiting job is cancelled at once and never runs unless it is retried', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 3600 });
  await fleet.add(
    { id: 'waiting', command: 'echo ran >> waiting' },
    { id: 'later', command: 'true', delay_seconds: 3600 },
  );
  await fleet.cli.text('cancel', 'waiting', 'later');
  assert.deepEqual([(await fleet.job('waiting')).state, (await fleet.job('later')).state], ['cancelled', 'cancelled']);
  await fleet.add({ id: 'failing', command: 'exit 1' });
  await fleet.worker();
  await fleet.untilState('failing', 'failed');
  await fleet.cli.text('cancel', 'failing');
  assert.deepEqual(fleet.lines('waiting'), []);
  await fleet.queue.retry(['waiting']);
  await fleet.untilState('waiting', 'completed');
  assert.equal((await fleet.job('failing')).state, 'cancelled');
});

test('the worker of a cancelled job continues with the next one', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.add({ id: 'a', command: 'sleep 60' }, { id: 'b', command: 'true' });
  const worker = await fleet.worker();
  await fleet.untilState('a', 'processing');
  await fleet.cli.text('cancel', 'a');
  await fleet.untilState('b', 'completed');
  assert.equal((await fleet.history('b'))[0]?.workerId, worker.id);
});
