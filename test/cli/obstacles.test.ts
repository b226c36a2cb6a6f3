// The column 'next run' of lists: a due job that cannot run shows why.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';

const nextRunOf = async (queue: TestQueue, id: string, ...options: string[]): Promise<string> => {
  const lines = (await queue.text('list', ...options)).split('\n');
  const at = lines[0]?.indexOf('next run') ?? 0;
  const line = lines.find((each) => each.startsWith(`${id} `)) ?? '';
  return line.slice(at).split('  ')[0] ?? '';
};

test('a due job without a worker or in a paused queue is not listed to run now', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--id', 'a', 'true');
  assert.equal(await nextRunOf(queue, 'a'), 'no worker');
  await queue.prepare('queue', 'pause', 'default');
  assert.equal(await nextRunOf(queue, 'a'), 'paused');
  assert.equal(await nextRunOf(queue, 'a', '--state', 'pending'), 'paused');
  await queue.prepare('queue', 'resume', 'default');
  await queue.prepare('pause');
  assert.equal(await nextRunOf(queue, 'a'), 'paused');
  await queue.prepare('hold', 'a');
  assert.equal(await nextRunOf(queue, 'a'), 'held');
});

test('a due job shows that its key or group has no free slot, or that it is too heavy', async (t) => {
  const queue = newQueue(t);
  await queue.text('worker', 'start', '--concurrency', '2');
  await queue.prepare('enqueue', '--id', 'k1', '--key', 'k', 'sleep 60');
  await queue.prepare('enqueue', '--id', 'g1', '--group', 'g', '--group-concurrency', '1', 'sleep 60');
  await until('both run', async () => (await queue.jobs('--state', 'processing')).length === 2);
  await queue.prepare('enqueue', '--id', 'k2', '--key', 'k', 'true');
  await queue.prepare('enqueue', '--id', 'g2', '--group', 'g', 'true');
  await queue.run(['enqueue', '--id', 'heavy', '--weight', '5', 'true']);
  await queue.prepare('enqueue', '--id', 'next', 'true');
  assert.deepEqual(await Promise.all(['k2', 'g2', 'heavy', 'next'].map((id) => nextRunOf(queue, id, '--all'))), [
    'no free key slot',
    'no free group slot',
    'too heavy',
    'now',
  ]);
  assert.equal(await nextRunOf(queue, 'k2'), 'no free key slot', 'beside folded groups too');
  await queue.text('worker', 'stop', '--force');
});
