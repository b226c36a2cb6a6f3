// queuectl retry of a part of a flow: what failed, that and what waits for it, or all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const FLOW = `
group: g
defaults: {max_retries: 0}
jobs:
  good: "true"
  bad: {command: test -e fixed, after: good}
  next: {command: "true", after: bad}
  last: {command: "true", after: [good, next]}
`;

/** good completed, bad is dead, next and last were cancelled. */
async function failedFlow(t: Parameters<typeof newQueue>[0]): Promise<TestQueue> {
  const queue = newQueue(t);
  queue.write('flow.yaml', FLOW);
  await queue.text('enqueue', '--file', 'flow.yaml');
  await drain(queue);
  assert.equal(await states(queue), 'completed dead cancelled cancelled');
  return queue;
}

const drain = (queue: TestQueue) => queue.run(['worker', 'run', '--drain']);
const states = async (queue: TestQueue): Promise<string> =>
  (await queue.jobs('--reverse')).map(({ state }) => state).join(' ');

test('--failed-and-downstream runs failed jobs, then their dependents', async (t) => {
  const queue = await failedFlow(t);
  queue.write('fixed', '');
  const said = await queue.text('retry', 'group:g', '--failed-and-downstream');
  assert.match(said, /^\S+ {2}pending\n\S+ {2}blocked\n\S+ {2}blocked\n$/);
  assert.equal(await states(queue), 'completed pending blocked blocked');
  await drain(queue);
  assert.equal(await states(queue), 'completed completed completed completed');
});

test('--failed-only runs only failed jobs', async (t) => {
  const queue = await failedFlow(t);
  queue.write('fixed', '');
  await queue.text('retry', 'group:g', '--failed-only');
  await drain(queue);
  assert.equal(await states(queue), 'completed completed cancelled cancelled');
});

test('--all runs all jobs in order', async (t) => {
  const queue = await failedFlow(t);
  queue.write('fixed', '');
  await queue.text('retry', 'group:g', '--all');
  assert.equal(await states(queue), 'pending blocked blocked blocked');
  await drain(queue);
  assert.equal(await states(queue), 'completed completed completed completed');
});

test('the part of a job, by ID or name, is the job and its dependents', async (t) => {
  const queue = await failedFlow(t);
  await queue.text('retry', 'next', '--all');
  assert.equal(await states(queue), 'completed dead pending blocked');
  await queue.text('retry', 'good', '--failed-only');
  assert.equal(await states(queue), 'completed pending pending blocked');
});

test('--dry-run prints what would run and changes nothing', async (t) => {
  const queue = await failedFlow(t);
  const said = await queue.text('retry', 'good', '--failed-and-downstream', '--dry-run');
  assert.match(said, /bad {2}dead -> pending\n.*next {2}cancelled -> blocked\n.*last {2}cancelled -> blocked\n/);
  assert.match(said, /1 job would run now, 2 dependents would run afterwards\n$/);
  const data = await queue.json<Document[]>('retry', 'good', '--failed-and-downstream', '--dry-run');
  assert.deepEqual(
    data.map(({ name, becomes }) => [name, becomes]),
    [
      ['bad', 'pending'],
      ['next', 'blocked'],
      ['last', 'blocked'],
    ],
  );
  assert.equal(await states(queue), 'completed dead cancelled cancelled');
});

test('on a terminal the command shows what would run and asks', async (t) => {
  const queue = await failedFlow(t);
  const no = await queue.onTerminal(100, 'queuectl retry group:g --failed-only', { input: 'n\n' });
  assert.match(no.stdout, /dead -> pending[\s\S]*This will retry 1 job\. Continue\?[\s\S]*nothing was changed/);
  assert.equal(await states(queue), 'completed dead cancelled cancelled');
  await queue.onTerminal(100, 'queuectl retry group:g --failed-only', { input: 'y\n' });
  assert.equal(await states(queue), 'completed pending cancelled cancelled');
});

test('without failed jobs the command reports that', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--group', 'g', 'true');
  assert.equal(await queue.text('retry', 'group:g', '--failed-only'), 'nothing to retry: no job failed\n');
  assert.equal(await queue.text('retry', 'group:g', '--all'), 'nothing to retry: no job has run yet\n');
});

test('invalid arguments are rejected', async (t) => {
  const queue = newQueue(t);
  await queue.text('init');
  assert.match(
    await queue.rejected(2, ['retry', 'a', '--all', '--failed-only']),
    /--failed-only and --all cannot be combined/,
  );
  assert.match(await queue.rejected(2, ['retry', 'a', '--failed', '--all']), /--failed and --all cannot be combined/);
  assert.match(await queue.rejected(2, ['retry', 'a', '--dry-run']), /--dry-run requires a filter/);
  assert.match(await queue.rejected(2, ['retry', '--all']), /missing job ID/);
  assert.match(await queue.rejected(3, ['retry', 'group:g', '--all']), /group 'g' not found/);
  assert.match(await queue.rejected(3, ['retry', 'nobody', '--all']), /job 'nobody' not found/);
});

test('a part with a running job is rejected as a whole', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--group', 'g', '--max-retries', '0', 'false');
  await drain(queue);
  const id = await queue.enqueue('--group', 'g', 'sleep 60');
  const worker = queue.start(['worker', 'run']);
  await queue.untilState(id, 'processing');
  assert.match(await queue.rejected(4, ['retry', 'group:g', '--all']), /is processing; retry requires/);
  assert.equal(await states(queue), 'dead processing');
  await queue.prepare('cancel', id);
  worker.kill('SIGTERM');
  await worker.ended;
});
