// queuectl dlq: jobs whose retries are used up, looked at, tried again, or thrown away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

/** Two dead jobs, one of them in the queue mail, and one that completed. */
async function withDeadJobs(queue: TestQueue): Promise<void> {
  await queue.text(
    'enqueue',
    '{"id":"bad","command":"echo no such file >&2; exit 3","max_retries":1,"backoff_base":0,"backoff_strategy":"fixed"}',
    '{"id":"mail","command":"exit 4","queue":"mail","max_retries":0}',
    '{"id":"good","command":"true"}',
  );
  await queue.drain();
}

test('the list shows dead jobs with the reason', async (t) => {
  const queue = newQueue(t);
  assert.equal(await queue.text('dlq', 'list'), '');
  await withDeadJobs(queue);
  const text = await queue.text('dlq', 'list');
  assert.match(text, /^bad .*2 of 2.*exit code 3: no such file$/m);
  assert.match(text, /^mail .*exit code 4$/m);
  assert.doesNotMatch(text, /^good/m);
  const ids = (await queue.json<{ id: string }[]>('dlq', 'list')).map(({ id }) => id);
  assert.deepEqual(ids.sort(), ['bad', 'mail']);
  assert.equal((await queue.json<unknown[]>('dlq', 'list', '--queue', 'mail')).length, 1);
});

test('show prints every detail of a dead job, and rejects other jobs', async (t) => {
  const queue = newQueue(t);
  await withDeadJobs(queue);
  assert.match(await queue.text('dlq', 'show', 'bad'), /^bad {2}dead.*\n[\s\S]*exit code 3: no such file/);
  assert.match(await queue.rejected(4, ['dlq', 'show', 'good']), /job 'good' is completed/);
});

test('retry requeues a dead job with its attempts reset to 0, and it runs', async (t) => {
  const queue = newQueue(t);
  await withDeadJobs(queue);
  assert.equal(await queue.text('dlq', 'retry', 'bad'), 'bad  pending\n');
  const job = await queue.show('bad');
  assert.deepEqual([job.state, job.attempts, (job.history as []).length], ['pending', 0, 2]);
  await queue.drain();
  const again = await queue.show('bad');
  assert.deepEqual([again.state, again.attempts, (again.history as []).length], ['dead', 2, 4]);
  assert.match(await queue.rejected(4, ['dlq', 'retry', 'good']), /job 'good' is completed/);
});

test('retry --all requeues all dead jobs, or those of one queue', async (t) => {
  const queue = newQueue(t);
  await withDeadJobs(queue);
  assert.equal(await queue.text('dlq', 'retry', '--all', '--queue', 'mail'), '1 job requeued\n');
  assert.equal((await queue.show('bad')).state, 'dead');
  assert.equal(await queue.text('dlq', 'retry', '--all'), '1 job requeued\n');
  assert.equal(await queue.text('dlq', 'retry', '--all'), '0 jobs requeued\n');
  assert.equal((await queue.show('good')).state, 'completed');
  assert.match(await queue.rejected(2, ['dlq', 'retry', 'bad', '--all']), /job IDs and --all cannot be combined/);
});

test('purge removes dead jobs and keeps the others', async (t) => {
  const queue = newQueue(t);
  await withDeadJobs(queue);
  assert.match(await queue.rejected(2, ['dlq', 'purge']), /delete 2 jobs.*\n hint: add --yes/);
  assert.equal((await queue.json('status')).dead, 2);
  assert.equal(await queue.text('dlq', 'purge', '--queue', 'mail', '--yes'), '1 job deleted\n');
  assert.equal(await queue.text('dlq', 'purge', '-y'), '1 job deleted\n');
  assert.equal(await queue.text('dlq', 'purge'), '0 jobs deleted\n');
  assert.deepEqual(
    (await queue.jobs()).map(({ id }) => id),
    ['good'],
  );
});

test('dead jobs are counted and retried by their error', async (t) => {
  const queue = newQueue(t);
  const commands = ['echo cannot read /a/1; exit 3', 'echo cannot read /b/22; exit 3', 'echo no paper; exit 4'];
  for (const [i, line] of commands.entries()) await queue.enqueue('--id', `j${i}`, '--max-retries', '0', line);
  await queue.drain();
  const groups = await queue.json<Document[]>('dlq', 'list', '--group-by', 'error');
  assert.deepEqual(
    groups.map(({ jobs, example }) => [jobs, example]),
    [
      [2, { id: 'j1', last_error: 'exit code 3: cannot read /b/22' }],
      [1, { id: 'j2', last_error: 'exit code 4: no paper' }],
    ],
  );
  const fingerprint = String(groups[0]?.fingerprint);
  assert.match(
    await queue.text('dlq', 'list', '--group-by', 'error'),
    /^jobs +fingerprint +newest +example +error\n +2 +err-\w{8} .* j1 +exit code 3: cannot read/,
  );
  assert.equal((await queue.show('j0')).fingerprint, fingerprint);
  assert.equal((await queue.jobs(`error:${fingerprint}`)).length, 2);
  assert.equal(await queue.text('dlq', 'retry', '--error', fingerprint), '2 jobs requeued\n');
  assert.equal((await queue.show('j2')).state, 'dead');
});

test('grouping accepts one word and a filter', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['dlq', 'list', '--group-by', 'colour']), /--group-by requires the value error/);
  assert.match(
    await queue.rejected(2, ['dlq', 'list', '--group-by', 'error', '--watch']),
    /cannot be combined with --watch or/,
  );
  assert.deepEqual(await queue.json('dlq', 'list', 'queue:mail', '--group-by', 'error'), []);
});
