// A worker whose turn was booked, and then failed, was given jobs that it never heard of: it puts them back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueError } from '../../src/errors.ts';
import { makeWorkerId, startWorker } from '../../src/worker/crew.ts';
import { openQueue } from '../support/library.ts';
import { storeWith } from '../support/store-with.ts';

test('jobs of a turn that the disk did not keep run all the same', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([{ id: 'a', command: 'true', max_retries: 0 }]);
  const { store, place } = queue;
  let failures = 0;
  const failing = storeWith(store, {
    turn: async (turn) => {
      const result = await store.turn(turn);
      if (result.claimed.length === 0 || failures++ > 0) return result;
      throw new QueueError('store_not_synced', { path: store.name });
    },
  });
  const logged: string[] = [];
  const home = { store: failing, place, overrides: { poll_interval: '0.1' }, environment: {} };
  const worker = startWorker(home, {
    id: makeWorkerId(),
    queues: null,
    concurrency: 1,
    drain: true,
    log: (line) => logged.push(line),
  });
  await worker.run();
  const job = await queue.get('a');
  assert.deepEqual([job?.state, job?.interruptions, failures], ['completed', 1, 2]);
  assert.ok(logged.some((line) => line.includes('the disk failed: its jobs are ended here and put back')));
});
