// retry, cancel and delete: what a person does to single jobs.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';
import { processesWith } from '../support/processes.ts';

/** A job in the state `failed`, whose next attempt is an hour away. */
async function failedJob(queue: TestQueue, id: string): Promise<void> {
  const worker = await queue.worker();
  await queue.enqueue('--id', id, '--max-retries', '3', '--backoff-base', '3600', 'exit 3');
  await queue.untilState(id, 'failed');
  await worker.leave();
}

suite('retry, cancel and delete', { concurrency: 2 }, () => {
  test('retry runs a final job of any state again with attempts reset to 0', async (t) => {
    const queue = newQueue(t);
    const two = '[{"id":"good","command":"true"},{"id":"bad","command":"false","max_retries":0}]';
    await queue.prepare('enqueue', two);
    await queue.drain();
    await queue.enqueue('--id', 'gone', '--delay', '1h', 'true');
    await queue.text('cancel', 'gone');
    assert.match(await queue.text('retry', 'good', 'bad', 'gone'), /^good +pending\nbad +pending\ngone +pending\n$/);
    for (const job of await queue.jobs()) {
      assert.deepEqual([job.state, job.attempts, job.run_at], ['pending', 0, null], String(job.id));
      assert.ok(Date.parse(String(job.next_run_at)) <= Date.now(), String(job.id));
    }
    await queue.drain();
    assert.equal((await queue.show('gone')).state, 'completed');
    const again = await queue.show('bad');
    assert.deepEqual([again.state, again.attempts, (again.history as []).length], ['dead', 1, 2]);
  });

  test('retry --failed retries all jobs that wait for their backoff', async (t) => {
    const queue = newQueue(t);
    await failedJob(queue, 'a');
    assert.match(await queue.text('retry', '--failed'), /^1 job requeued/);
    const job = await queue.show('a');
    assert.deepEqual([job.state, job.attempts], ['pending', 0]);
    assert.match(await queue.text('retry', '--failed'), /^0 jobs requeued/);
    assert.match(await queue.rejected(2, ['retry', 'a', '--failed']), /job IDs and --failed cannot be combined/);
  });

  test('a job in the state failed can be retried, cancelled and deleted', async (t) => {
    const queue = newQueue(t);
    await failedJob(queue, 'a');
    const job = await queue.show('a');
    assert.deepEqual([job.attempts, job.exit_code], [1, 3]);
    assert.ok(Date.parse(String(job.next_run_at)) > Date.now() + 3_000_000);
    assert.match(await queue.text('cancel', 'a'), /^a {2}cancelled/);
    assert.match(await queue.text('retry', 'a'), /^a {2}pending/);
    assert.match(await queue.text('delete', 'a'), /^a {2}deleted/);
    assert.equal(await queue.count(), 0);
  });

  test('retry of several jobs changes all of them or none', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'done', 'true');
    await queue.enqueue('--id', 'waits', '--delay', '1h', 'true');
    assert.match(await queue.rejected(4, ['retry', 'done', 'waits']), /job 'waits' is pending/);
    assert.equal((await queue.show('done')).state, 'completed');
  });

  test('cancel removes a waiting job immediately, and it never runs', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'touch ran');
    assert.equal(await queue.text('cancel', 'a'), 'a  cancelled\n');
    await queue.drain();
    assert.equal((await queue.show('a')).state, 'cancelled');
    assert.ok(!queue.files().includes('ran'));
    assert.match(await queue.rejected(4, ['cancel', 'a']), /job 'a' is cancelled/);
  });

  test('cancel stops a running job with all its processes before it returns', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    await queue.enqueue('--id', 'a', 'sleep 61 & sleep 62; echo not reached');
    await until('it runs', () => processesWith(queue.folder).some(({ command }) => command === 'sleep 62'));
    assert.equal(await queue.text('cancel', 'a'), 'a  cancelled\n');
    assert.deepEqual(
      processesWith(queue.folder).filter(({ command }) => command.startsWith('sleep')),
      [],
    );
    const job = await queue.show('a');
    assert.deepEqual([job.state, job.last_error], ['cancelled', 'cancelled while running']);
    assert.match(await queue.text('logs', 'a'), /\n--- END \S+ cancelled ---\n$/);
    await worker.leave();
  });

  test('cancel kills processes that ignore TERM after the grace period', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('config', 'set', 'kill_grace', '0.2');
    const worker = await queue.worker();
    await queue.enqueue('--id', 'a', 'trap "" TERM; touch here; while :; do sleep 0.1; done');
    await until('it runs', () => queue.files().includes('here'));
    assert.equal(await queue.text('cancel', 'a'), 'a  cancelled\n');
    assert.equal((await queue.show('a')).signal, 'SIGKILL');
    await worker.leave();
  });

  test('cancel --no-wait returns immediately', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    await queue.enqueue('--id', 'a', 'exec sleep 60');
    await queue.untilState('a', 'processing');
    assert.match(await queue.text('cancel', 'a', '--no-wait'), /^a {2}(stopping|cancelled)\n/);
    await queue.untilState('a', 'cancelled');
    await worker.leave();
  });

  test('a running job cannot be deleted or retried, and the hint shows an alternative', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    await queue.enqueue('--id', 'a', 'exec sleep 60');
    await queue.untilState('a', 'processing');
    assert.match(await queue.rejected(4, ['delete', 'a']), /job 'a' is processing.*\n hint: .*queuectl cancel a/);
    assert.match(await queue.rejected(4, ['retry', 'a']), /job 'a' is processing/);
    await queue.text('cancel', 'a');
    await worker.leave();
  });

  test('delete removes jobs in every state except processing', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('enqueue', '[{"id":"a","command":"true"},{"id":"b","command":"false","max_retries":0}]');
    await queue.drain();
    await queue.prepare('enqueue', '[{"id":"c","command":"true"},{"id":"d","command":"true"}]');
    await queue.text('cancel', 'd');
    assert.equal(
      await queue.text('delete', 'a', 'b', 'c', 'd', 'a'),
      'a  deleted\nb  deleted\nc  deleted\nd  deleted\n',
    );
    assert.equal(await queue.count(), 0);
    assert.match(await queue.rejected(3, ['show', 'a']), /not found/);
  });

  test('a deleted ID can be used again', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'echo first');
    await queue.text('delete', 'a');
    await queue.finished('--id', 'a', 'echo second');
    assert.doesNotMatch(await queue.text('logs', 'a'), /first/);
  });
});
