// A store beside the model: everything that can be seen of the one must be what the other says.

import assert from 'node:assert/strict';
import { QueueError } from '../../src/errors/errors.ts';
import { type JobState, STATES } from '../../src/job/job.ts';
import type { Overview, Store, WorkerRecord } from '../../src/store/store.ts';
import { type Model, Rejected } from './model.ts';
import { earliest, nextDueAt } from './turn.ts';

export async function compare(model: Model, store: Store): Promise<void> {
  const jobs = await store.list({ sort: 'created', descending: false, limit: null });
  assert.deepEqual(
    jobs,
    model.entries().map(({ job }) => job),
    'the jobs',
  );
  for (const { job, attempts } of model.entries()) {
    assert.deepEqual(await store.history(job.id), attempts, `the attempts of ${job.id}`);
  }
  assert.deepEqual(await store.overview(), overview(model), 'the overview');
  assert.deepEqual(await store.workers(), workers(model), 'the workers');
  assert.deepEqual(await store.settings(), model.stored(), 'the settings');
}

function overview(model: Model): Overview {
  const queues = new Set(model.entries().map(({ job }) => job.queue));
  return {
    queues: [...queues].toSorted().map((queue) => queueCounts(model, queue)),
    nextRetryAt: nextDueAt(model, 'failed'),
    nextDueAt: nextDueAt(model),
  };
}

function queueCounts(model: Model, queue: string): Overview['queues'][number] {
  const jobs = model.entries().flatMap(({ job }) => (job.queue === queue ? [job] : []));
  const count = (state: JobState) => jobs.filter((job) => job.state === state).length;
  const counts = Object.fromEntries(STATES.map((state) => [state, count(state)])) as Record<JobState, number>;
  const due = jobs.filter(({ nextRunAt, held }) => nextRunAt !== null && held === null && nextRunAt <= model.now);
  return { queue, counts, oldestPendingAt: earliest(due.map(({ nextRunAt }) => nextRunAt)) };
}

function workers(model: Model): WorkerRecord[] {
  return [...model.workers.values()]
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    .map((worker) => ({ ...worker, running: model.held(worker.id).map(({ job }) => job.id) }));
}

/** The store answers what the model answers, or rejects what the model rejects, for the same reason. */
export async function same<T>(real: () => Promise<T>, modelled: () => T): Promise<void> {
  const [answer, expected] = [await outcome(real), await outcome(modelled)];
  assert.deepEqual(answer, expected, 'the answer');
}

async function outcome<T>(work: () => T | Promise<T>): Promise<unknown> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof Rejected) return rejection(error.code, error);
    if (error instanceof QueueError) return rejection(error.code, error.details);
    throw error;
  }
}

const rejection = (code: string, details: { id?: unknown; position?: unknown }) => ({
  rejected: code,
  id: details.id,
  position: details.position,
});
