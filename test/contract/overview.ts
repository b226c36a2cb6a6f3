// The queue in numbers: always what a recount would say, whatever was done; and no move but the table's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFinal, type Job, type JobState, STATES } from '../../src/job/job.ts';
import { type Event, TRANSITIONS } from '../../src/job/lifecycle.ts';
import type { Overview } from '../../src/store/store.ts';
import { newJob, T0 } from '../support/jobs.ts';
import type { MakeBench } from './bench.ts';
import { aStep } from './steps.ts';

export function overview(bench: MakeBench): void {
  test('counts every state of every queue that has jobs', async (t) => {
    const b = await bench(t);
    await b.jobIn('dead');
    await b.enqueue('a', newJob('b', { runAt: T0 + 1000 }), newJob('m', { queue: 'mail' }));
    const { queues } = await b.store.overview();
    const none = Object.fromEntries(STATES.map((state) => [state, 0]));
    assert.deepEqual(
      queues.map(({ queue, counts }) => [queue, counts]),
      [
        ['default', { ...none, dead: 1, pending: 2 }],
        ['mail', { ...none, pending: 1 }],
      ],
    );
  });

  test('is empty for an empty queue', async (t) => {
    const { store } = await bench(t);
    assert.deepEqual(await store.overview(), { queues: [], nextRetryAt: null, nextDueAt: null });
  });

  test('has the time since which the longest waiting job could have run', async (t) => {
    const b = await bench(t);
    await b.enqueue('old', newJob('scheduled', { runAt: T0 + 60_000 }));
    b.later(5000);
    await b.enqueue(newJob('young', { priority: 9 }));
    assert.equal((await b.store.overview()).queues[0]?.oldestPendingAt, T0);
    await b.take('old');
    assert.equal((await b.store.overview()).queues[0]?.oldestPendingAt, T0 + 5000);
    await b.take('young');
    assert.equal((await b.store.overview()).queues[0]?.oldestPendingAt, null);
  });

  test('does not count a retried job as the longest waiting one', async (t) => {
    const b = await bench(t);
    await b.jobIn('dead', 'first in line');
    await b.enqueue('waits');
    b.later(60_000);
    await b.store.retry(['first in line'], ['dead']);
    assert.equal((await b.store.overview()).queues[0]?.oldestPendingAt, T0);
  });

  test('counts a due job as waiting before any worker looked', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }));
    b.later(60_000);
    assert.equal((await b.store.overview()).queues[0]?.oldestPendingAt, T0 + 1000);
  });

  test('has the times of the next retry and the next due job', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }));
    await b.jobIn('failed');
    const { nextRetryAt, nextDueAt } = await b.store.overview();
    assert.deepEqual([nextRetryAt, nextDueAt], [T0 + 2000, T0 + 1000]);
  });

  test('equals a recount, and every move follows the state table, whatever is done in any order', async (t) => {
    const b = await bench(t);
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        await b.store.reset();
        for (const worker of ['w1', 'w2']) await b.worker(worker);
        let before = await b.all();
        for (const step of steps) {
          await step.take(b);
          const after = await b.all();
          checkMoves(before, after);
          checkFields(after);
          assert.deepEqual(counted(await b.store.overview()), recounted(after));
          before = after;
        }
        assert.deepEqual(await b.store.check(), []);
      }),
      { numRuns: 40 },
    );
  });
}

function counted({ queues }: Overview): Record<string, Record<string, number>> {
  const present = (counts: Record<string, number>) => Object.entries(counts).filter(([, n]) => n > 0);
  return Object.fromEntries(queues.map(({ queue, counts }) => [queue, Object.fromEntries(present(counts))]));
}

function recounted(jobs: readonly Job[]): Record<string, Record<string, number>> {
  const queues: Record<string, Record<string, number>> = {};
  for (const { queue, state } of jobs) {
    queues[queue] ??= {};
    queues[queue][state] = (queues[queue][state] ?? 0) + 1;
  }
  return queues;
}

const MOVES = (Object.keys(TRANSITIONS) as Event[]).flatMap((event) =>
  TRANSITIONS[event].from.map((from) => `${from} to ${TRANSITIONS[event].to}`),
);

function checkMoves(before: readonly Job[], after: readonly Job[]): void {
  const was = new Map(before.map(({ id, state }) => [id, state]));
  for (const { id, state } of after) {
    const earlier = was.get(id);
    if (earlier === undefined) assert.equal(state, 'pending', `${id} is new`);
    else if (earlier !== state)
      assert.ok(MOVES.includes(`${earlier} to ${state}`), `${id} went from ${earlier} to ${state}`);
  }
}

/** A state comes with exactly the fields that belong to it. */
function checkFields(jobs: readonly Job[]): void {
  const waits = (state: JobState): boolean => state === 'pending' || state === 'failed';
  for (const job of jobs) {
    const where = `${job.id}, ${job.state}`;
    assert.equal(job.lockedBy !== null, job.state === 'processing', where);
    assert.equal(job.lockedAt !== null, job.state === 'processing', where);
    assert.equal(job.nextRunAt !== null, waits(job.state), where);
    assert.equal(job.finishedAt !== null, isFinal(job.state), where);
    assert.ok(job.attempts >= (job.state === 'processing' ? 1 : 0), where);
    assert.ok(job.attempts <= job.maxRetries + 1, where);
  }
}
