// What people do, done to the model: jobs in, jobs changed, jobs out.

import { FINAL_STATES, type Job, type JobState, type NewJob } from '../../src/job/job.ts';
import { allows } from '../../src/job/lifecycle.ts';
import type { JobFilter, PruneQuery, Removed } from '../../src/store/store.ts';
import { type Entry, type Model, Refused } from './model.ts';

export function enqueue(model: Model, jobs: readonly NewJob[]): Job[] {
  const taken = new Set(model.jobs.keys());
  for (const [index, { id }] of jobs.entries()) {
    if (taken.has(id)) throw new Refused('job_exists', id, index + 1);
    taken.add(id);
  }
  return jobs.map((job) => {
    const entry = fresh(job, model.now);
    model.jobs.set(job.id, entry);
    return { ...entry.job };
  });
}

function fresh(job: NewJob, now: number): Entry {
  const nextRunAt = Math.max(job.runAt ?? now, now);
  const counts = { attempts: 0, interruptions: 0, interruptionsInRow: 0 };
  const times = { nextRunAt, createdAt: now, updatedAt: now, startedAt: null, finishedAt: null };
  const end = { durationMs: null, exitCode: null, signal: null, lastError: null };
  const hold = { lockedBy: null, lockedAt: null, cancelRequestedAt: null, logPath: null };
  return {
    job: { ...job, state: 'pending', ...counts, ...times, ...end, ...hold },
    attempts: [],
    ready: nextRunAt <= now,
  };
}

export function retry(model: Model, ids: readonly string[], states: readonly JobState[]): Job[] {
  const chosen = expect(model, ids, (state) => states.includes(state) && allows('retry', state));
  for (const entry of chosen) again(entry, model.now);
  return chosen.map(({ job }) => ({ ...job }));
}

export function retryAll(model: Model, { states, queue, search }: JobFilter): number {
  const chosen = model
    .entries()
    .filter(({ job }) => allows('retry', job.state))
    .filter(({ job }) => states?.includes(job.state) ?? true)
    .filter(({ job }) => queue === undefined || job.queue === queue)
    .filter(({ job }) => [job.id, job.command, job.lastError].join('\n').includes(search ?? ''));
  for (const entry of chosen) again(entry, model.now);
  return chosen.length;
}

function again(entry: Entry, now: number): void {
  entry.ready = true;
  const counts = { attempts: 0, interruptionsInRow: 0 };
  Object.assign(entry.job, counts, { state: 'pending', nextRunAt: now, runAt: null, finishedAt: null });
  entry.job.updatedAt = now;
}

export function cancel(model: Model, ids: readonly string[]): Job[] {
  const chosen = expect(model, ids, (state) => allows('cancel', state) || allows('stop', state));
  for (const { job } of chosen) {
    if (job.state === 'processing') job.cancelRequestedAt = model.now;
    else Object.assign(job, { state: 'cancelled', nextRunAt: null, finishedAt: model.now });
    job.updatedAt = model.now;
  }
  return chosen.map(({ job }) => ({ ...job }));
}

export function remove(model: Model, ids: readonly string[]): Removed {
  return drop(
    model,
    expect(model, ids, (state) => state !== 'processing'),
  );
}

/** Those that prune() may take, by state, the longest finished first. */
export function prunable(model: Model, { states, queue, keep, finishedBefore }: PruneQuery): Entry[][] {
  return FINAL_STATES.filter((state) => states.includes(state)).map((state) => {
    const finished = model
      .entries()
      .filter(({ job }) => job.state === state && (queue === undefined || job.queue === queue))
      .toSorted((a, b) => Number(a.job.finishedAt) - Number(b.job.finishedAt));
    const old = finished.slice(0, Math.max(0, finished.length - (keep ?? 0)));
    return old.filter(({ job }) => Number(job.finishedAt) < (finishedBefore ?? Infinity));
  });
}

export function reset(model: Model): Removed {
  model.workers.clear();
  return drop(model, model.entries());
}

export function drop(model: Model, entries: readonly Entry[]): Removed {
  for (const { job } of entries) model.jobs.delete(job.id);
  const logPaths = entries.flatMap(({ attempts }) => attempts.map(({ logPath }) => String(logPath)));
  return { jobs: entries.length, logPaths };
}

/** All of them, or the refusal of the first that is not there or not in such a state. */
function expect(model: Model, ids: readonly string[], allowed: (state: JobState) => boolean): Entry[] {
  return ids.map((id) => {
    const entry = model.jobs.get(id);
    if (!entry) throw new Refused('job_not_found', id);
    if (!allowed(entry.job.state)) throw new Refused('wrong_state', id);
    return entry;
  });
}
