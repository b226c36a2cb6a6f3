// queuectl enqueue --unique: of the jobs with one key only one is let in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue, type TestQueue } from './support.ts';

const idOf = async (queue: TestQueue, ...args: string[]): Promise<string> =>
  (await queue.text('enqueue', '--print-id', ...args)).trim();
const states = async (queue: TestQueue): Promise<unknown[]> =>
  (await queue.jobs('--reverse')).map(({ state }) => state);

test('--unique KEY enqueues once and returns the existing job afterwards', async (t) => {
  const queue = newQueue(t);
  const id = await idOf(queue, '--unique', 'nightly', 'make a');
  assert.equal(await idOf(queue, 'make b', '--unique', 'nightly'), id);
  assert.equal(await idOf(queue, '--unique=nightly', '--', 'make', 'c'), id);
  assert.equal(await queue.text('enqueue', '--unique', 'nightly', 'make d'), `${id}  exists  pending\n`);
  const [job, ...others] = await queue.jobs();
  assert.deepEqual([job?.command, job?.unique_key, others.length], ['make a', 'nightly', 0]);
});

test('--unique without a key compares command, queue and directory', async (t) => {
  const queue = newQueue(t);
  const id = await idOf(queue, '--unique', 'make x');
  assert.equal(await idOf(queue, 'make x', '--unique'), id);
  assert.equal(await idOf(queue, '--unique', '--queue', 'default', 'make x'), id);
  assert.notEqual(await idOf(queue, '--unique', 'make y'), id);
  assert.notEqual(await idOf(queue, '--unique', '--', 'make', 'x'), id);
  assert.notEqual(await idOf(queue, '--unique', '--queue', 'other', 'make x'), id);
  assert.notEqual(await idOf(queue, '--unique', '--cwd', '/', 'make x'), id);
});

test('--if-exists replace cancels the waiting job and informs its dependents', async (t) => {
  const queue = newQueue(t);
  const id = await idOf(queue, '--unique', 'k', 'make a');
  await queue.text('enqueue', '--after', id, 'make b');
  const other = await idOf(queue, '--unique', 'k', '--if-exists', 'replace', 'make c');
  assert.notEqual(other, id);
  assert.deepEqual(await states(queue), ['cancelled', 'cancelled', 'pending']);
  assert.match(await queue.text('show', id), new RegExp(`replaced by ${other}`));
});

test('--if-exists error exits with 4', async (t) => {
  const queue = newQueue(t);
  const id = await idOf(queue, '--unique', 'k', 'make a');
  const said = await queue.rejected(4, ['enqueue', '--unique', 'k', '--if-exists', 'error', 'make b']);
  assert.match(said, new RegExp(`job ${id} already has the unique key 'k'; nothing was enqueued`));
  assert.equal(await queue.count(), 1);
});

test('--unique-for blocks duplicates until the job is final, or for a time', async (t) => {
  const queue = newQueue(t);
  const id = await idOf(queue, '--unique', 'k', 'true');
  await queue.run(['worker', 'run', '--drain']);
  assert.equal(await idOf(queue, '--unique', 'k', '--unique-for', '1h', 'true'), id);
  assert.notEqual(await idOf(queue, '--unique', 'k', '--unique-for', 'unfinished', 'true'), id);
});

test('many jobs from a file can be unique, each with its own key', async (t) => {
  const queue = newQueue(t);
  const lines = (keys: readonly string[]): string =>
    keys.map((key) => `{"command":"make ${key}","unique_key":"${key}"}\n`).join('');
  await queue.run(['enqueue', '-'], { input: lines(['a', 'b']) });
  const { stdout } = await queue.run(['enqueue', '-'], { input: lines(['b', 'c', 'c']) });
  assert.equal(stdout, '1 job enqueued, 2 already exist\n');
  assert.deepEqual(
    (await queue.jobs('--reverse')).map(({ command }) => command),
    ['make a', 'make b', 'make c'],
  );
  const again = await queue.run(['enqueue', '-', '--print-id'], { input: lines(['a', 'd']) });
  const [a] = await queue.jobs('--reverse');
  assert.equal(again.stdout.split('\n')[0], a?.id);
});

test('unique jobs are reported as part of a group only if some were stored', async (t) => {
  const queue = newQueue(t);
  const enqueue = (input: string) =>
    queue.run(['enqueue', '--each', '-', '--group', 'g', '--unique', '--', 'make', '{}'], { input });
  assert.equal((await enqueue('a\nb\n')).stdout, '2 jobs enqueued in group g\n');
  assert.equal((await enqueue('a\nb\n')).stdout, '0 jobs enqueued, 2 already exist\n');
  assert.equal((await enqueue('a\nc\n')).stdout, '1 job enqueued in group g, 1 already exists\n');
});

test('a file of commands is unique by its commands', async (t) => {
  const queue = newQueue(t);
  const { stdout } = await queue.run(['enqueue', '-', '--lines', '--unique'], { input: 'a\nb\na\n' });
  assert.equal(stdout, '2 jobs enqueued, 1 already exists\n');
});

test('twenty concurrent enqueues store one job', async (t) => {
  const queue = newQueue(t);
  await queue.text('init');
  const line =
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do queuectl enqueue --unique k --print-id "make $i" & done; wait';
  const { stdout } = await queue.sh(line);
  assert.equal(new Set(stdout.trim().split('\n')).size, 1);
  assert.equal(stdout.trim().split('\n').length, 20);
  assert.equal(await queue.count(), 1);
});

const wrong: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
  'a time that is none': [
    ['--unique', 'k', '--unique-for', 'ever', 'true'],
    /'unique_for' must be waiting, unfinished or a duration, not 'ever'/,
  ],
  'an unknown wish': [
    ['--unique', 'k', '--if-exists', 'die', 'true'],
    /'if_exists' must be one of skip, replace, error/,
  ],
  'a wish without a key': [['--if-exists', 'skip', 'true'], /applies only to unique jobs/],
  'a key that is too long': [['--unique', 'k'.repeat(300), 'true'], /300 characters long/],
  'an empty key': [['--unique=', 'true'], /'unique' is empty/],
  'a key that is a number': [['{"command":"true","unique_key":5}'], /'unique_key' must be a string, or true/],
};

for (const [what, [args, says]] of Object.entries(wrong)) {
  test(`${what} is rejected`, async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['enqueue', ...args]), says);
    assert.equal(await queue.count(), 0);
  });
}

test('a scheduled job can be unique, and can be edited', async (t) => {
  const queue = newQueue(t);
  await queue.text('schedule', 'add', 's', '--every', '1h', '--unique', 'k', '--unique-for', '90s', 'true');
  const job = (await queue.json('schedule', 'edit', 's', '-p', '3')).job as Record<string, unknown>;
  assert.equal(job.priority, 3);
  await queue.text('schedule', 'run', 's');
  assert.match(await queue.text('schedule', 'run', 's'), /^\S+ {2}exists {2}pending\n$/);
  assert.match(await queue.text('schedule', 'show', 's'), /skipped +\S+ +a job with the same unique key existed/);
  assert.deepEqual(
    (await queue.jobs()).map(({ unique_key }) => unique_key),
    ['k'],
  );
});
