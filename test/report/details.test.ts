// Everything about one job, as `show` prints it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { detailsOf, detailsToJson } from '../../src/report/details.ts';
import { addWorker, claim, openQueue, turn } from '../support/library.ts';
import { endings } from '../support/jobs.ts';

test('an attempt that its worker could report only later took as long as its job', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([{ id: 'a', command: 'true' }]);
  const { seq, run } = await claim(queue, 'a', 'w');
  await pause(20); // the database is away; the process ran for 5 ms
  await turn(queue, 'w', { ended: [{ seq, run, ending: { ...endings.completed, durationMs: 5 } }] });
  const details = await detailsOf(queue, await queue.find('a'));
  const { duration_ms, history } = detailsToJson(details, { env: false }) as {
    duration_ms: number;
    history: { duration_ms: number }[];
  };
  assert.deepEqual([duration_ms, history.map((attempt) => attempt.duration_ms)], [5, [5]]);
});
