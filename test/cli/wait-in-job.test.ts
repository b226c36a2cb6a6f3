// queuectl wait inside a job: it keeps a slot of the worker busy, and says so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';

test('inside a job, wait reports that the job holds a slot', async (t) => {
  const queue = newQueue(t);
  const worker = await queue.worker('--concurrency', '2');
  await queue.enqueue('--id', 'other', 'until [ -e go ]; do sleep 0.02; done');
  const outer = queue.start(['run', '--id', 'outer', 'queuectl wait other']);
  await until('it says so', () => outer.stderr() !== '');
  assert.equal(outer.stderr(), 'job outer occupies a slot of its worker while it waits\n');
  queue.write('go', '');
  assert.equal((await outer.ended).code, 0);
  await worker.leave();
});
