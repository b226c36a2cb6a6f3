// Requests that come at the same time are stored together, and none of them notices.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestContext, test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { Arrivals } from '../../src/server/arrivals.ts';
import { openQueue } from '../support/library.ts';
import { startServer } from './support.ts';

test('many concurrent requests each get their own jobs, in order', async (t) => {
  const { ask, queue } = await startServer(t);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      ask('POST', '/jobs', [{ command: `echo ${i} a` }, { command: `echo ${i} b` }]),
    ),
  );
  for (const [i, { status, json }] of answers.entries()) {
    assert.equal(status, 201);
    assert.deepEqual(
      json.jobs.map(({ command }: { command: string }) => command),
      [`echo ${i} a`, `echo ${i} b`],
    );
  }
  assert.equal(await queue.countOf({}), 80);
});

test('a rejected request does not affect others', async (t) => {
  const { ask, queue } = await startServer(t);
  const bodies: unknown[] = [
    { id: 'a', command: 'true' },
    { command: 'true', prio: 1 },
    [
      { id: 'b', command: 'true' },
      { id: 'a', command: 'true' },
    ],
    { id: 'c', command: 'true' },
    { id: 'd', command: 'true', depends_on: ['nobody'] },
    { id: 'e', command: 'true' },
  ];
  const answers = await Promise.all(bodies.map((body) => ask('POST', '/jobs', body)));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual([statuses[1], statuses[3], statuses[4], statuses[5]], [400, 201, 404, 201]);
  assert.deepEqual([statuses[0], statuses[2]].sort(), [201, 409]); // whichever was first has the id
  const there = await queue.idsOf({ sort: 'created', descending: false, limit: null });
  assert.deepEqual(there.filter((id) => id !== 'b').sort(), ['a', 'c', 'e']);
});

test('jobs that refer to each other find those of their own request, whatever else arrives', async (t) => {
  const { ask, queue } = await startServer(t);
  const flow = (n: number) => [
    { id: `first-${n}`, name: 'load', command: 'true' },
    { id: `then-${n}`, command: 'true', depends_on: ['load'] },
  ];
  const answers = await Promise.all([1, 2, 3, 4].map((n) => ask('POST', '/jobs', flow(n))));
  assert.ok(answers.every(({ status }) => status === 201));
  for (const n of [1, 2, 3, 4])
    assert.deepEqual(
      (await queue.find(`then-${n}`)).dependsOn.map(({ on }) => on),
      [`first-${n}`],
    );
});

/** A queue whose disk takes long; `stored` tells how many jobs each transaction had. */
async function slowQueue(t: TestContext): Promise<{ queue: Queue; stored: number[] }> {
  const queue = await openQueue(t);
  const { intake } = queue;
  const stored: number[] = [];
  queue.intake = async (...given) => {
    const own = await intake.apply(queue, given);
    const enqueue: typeof own.enqueue = async (jobs) => {
      stored.push(jobs.length);
      await sleep(200);
      return own.enqueue(jobs);
    };
    return { ...own, enqueue };
  };
  return { queue, stored };
}

test('a client that returns right after a response is stored with the requests that waited meanwhile', async (t) => {
  const { queue, stored } = await slowQueue(t);
  const arrivals = new Arrivals(queue);
  const come = (): Promise<unknown> => arrivals.enqueue([{ command: 'true' }], null);
  const first = [come(), come()];
  while (stored.length === 0) await sleep(1);
  const waiting = [come(), come(), come()];
  await Promise.all(first);
  await sleep(1); // as a client takes a moment to read its answer
  await Promise.all([...waiting, come(), come()]);
  assert.deepEqual(stored, [2, 5]);
});

test('the server does not wait for a client that does not return', async (t) => {
  const { queue, stored } = await slowQueue(t);
  const arrivals = new Arrivals(queue);
  const come = (): Promise<unknown> => arrivals.enqueue([{ command: 'true' }], null);
  await Promise.all([come(), come(), come()]);
  await come();
  await come();
  assert.deepEqual(stored, [3, 1, 1]);
});
