// Ids: the start of one is enough when only one job has it, and made-up ones never meet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue } from './support.ts';

test('a unique prefix of an ID is enough for every command', async (t) => {
  const queue = newQueue(t);
  await queue.text(
    'enqueue',
    '[{"id":"alpha-1","command":"echo one"},{"id":"beta-1","command":"exit 3","max_retries":0}]',
  );
  await queue.drain();
  assert.equal((await queue.json('show', 'al')).id, 'alpha-1');
  assert.match(await queue.text('logs', 'al'), /\none\n/);
  assert.match(await queue.text('wait', 'al'), /^alpha-1 {2}completed/);
  assert.match(await queue.text('dlq', 'show', 'be'), /^beta-1 /);
  assert.match(await queue.text('dlq', 'retry', 'be'), /^beta-1 {2}pending/);
  assert.match(await queue.text('retry', 'al'), /^alpha-1 {2}pending/);
  assert.match(await queue.text('cancel', 'al'), /^alpha-1 {2}cancelled/);
  assert.match(await queue.text('delete', 'al'), /^alpha-1 {2}deleted/);
  assert.deepEqual(
    (await queue.jobs()).map(({ id }) => id),
    ['beta-1'],
  );
});

test('an ambiguous prefix is rejected with the possible IDs', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '[{"id":"job-1","command":"true"},{"id":"job-2","command":"true"}]');
  for (const verb of [['show'], ['logs'], ['retry'], ['cancel'], ['delete'], ['wait'], ['dlq', 'retry']]) {
    const rejection = await queue.rejected(2, [...verb, 'job']);
    assert.match(rejection, /'job' matches more than one job: job-1, job-2/, verb.join(' '));
  }
  assert.equal((await queue.json('status')).pending, 2);
});

test('a complete ID wins over longer IDs that start with it', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '[{"id":"job","command":"true"},{"id":"job-2","command":"true"}]');
  assert.equal((await queue.json('show', 'job')).id, 'job');
  assert.equal((await queue.json('show', 'job-')).id, 'job-2');
});

test('an empty ID is not found, and wildcards have no meaning', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', 'true');
  for (const id of ['', '%', '_', '*', '?', 'A']) {
    assert.match(await queue.rejected(3, ['show', id]), /not found/, id);
  }
});

test('1,000 generated IDs are short, easy to type and different', async (t) => {
  const queue = newQueue(t);
  const { stdout } = await queue.run(['enqueue', '-', '--lines', '--print-id'], {
    input: 'true\n'.repeat(1000),
  });
  const ids = stdout.trimEnd().split('\n');
  assert.equal(new Set(ids).size, 1000);
  for (const id of ids) assert.match(id, /^[0-9a-z]{4,12}$/);
  const starts = new Set(ids.map((id) => id.slice(0, 6)));
  assert.ok(starts.size > 990, 'a few characters are a unique prefix');
});

test('a name selects its newest job, after an ID and before an ID prefix', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--id', 'first', '--name', 'build', 'true');
  await queue.prepare('enqueue', '--id', 'second', '--name', 'build', 'true');
  await queue.prepare('enqueue', '--id', 'build-x', 'true');
  assert.equal((await queue.json('show', 'build')).id, 'second');
  await queue.prepare('enqueue', '--id', 'build', 'true');
  assert.equal((await queue.json('show', 'build')).id, 'build');
  assert.equal((await queue.json('show', 'build-')).id, 'build-x');
});
