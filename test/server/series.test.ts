// What the queue did over time, for charts. Each answer is held against the document by the support.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveIn } from '../support/lived-in.ts';
import { startServer } from './support.ts';

test('activity of the last hour is in the points, of all queues or of one', async (t) => {
  const { ask, queue } = await startServer(t);
  await liveIn(queue);
  const { status, json } = await ask('GET', '/stats/series');
  assert.equal(status, 200);
  assert.deepEqual([json.queue, json.step_seconds], ['*', 60]);
  assert.deepEqual([json.sum.enqueued, json.sum.completed, json.sum.dead, json.sum.cancelled], [6, 2, 1, 1]);
  assert.equal(
    json.sum.completed,
    json.points.reduce((sum: number, point: { completed: number }) => sum + point.completed, 0),
  );
  assert.equal((await ask('GET', '/stats/series?queue=mail')).json.sum.completed, 1);
});

test('a reversed or invalid range is rejected', async (t) => {
  const { ask } = await startServer(t);
  const future = await ask('GET', '/stats/series?from=2999-01-01T00:00:00Z');
  assert.deepEqual([future.status, future.json.code], [400, 'invalid_range']);
  assert.equal((await ask('GET', '/stats/series?from=yesterday')).json.code, 'invalid_request');
  assert.equal((await ask('GET', '/stats/series?step=0')).status, 400);
});
