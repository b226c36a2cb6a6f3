// What people do, done to the model: jobs in, jobs changed, jobs out.

import { LONGEST_SNOOZE_SECONDS } from '../../src/job/outcome-rules.ts';
import { FINAL_STATES, type Job, type JobState, type NewJob } from '../../src/job/job.ts';
import { allows } from '../../src/job/lifecycle.ts';
import type { WaitingChange } from '../../src/job/waiting-change.ts';
import type { JobFilter, PruneQuery, Removed } from '../../src/store/store.ts';
import { matches } from '../support/matching.ts';
import { type Entry, type Model, Rejected } from './model.ts';

export function enqueue(model: Model, jobs: readonly NewJob[]): Job[] {
  const taken = new Set(model.jobs.keys());
  for (const [index, { id }] of jobs.entries()) {
    if (taken.has(id)) throw new Rejected('job_exists', id, index + 1);
    taken.add(id);
  }
  return jobs.map((job) => {
    const entry = fresh(job, model.now);
    model.jobs.set(job.id, entry);
    return { ...entry.job };
  });
}

function fresh(
  { groupConcurrency: _, groupHooks: __, uniqueFor: _for, ifExists: _then, stdin, ...job }: NewJob,
  now: number,
): Entry {
  const nextRunAt = Math.max(job.runAt ?? now, now);
  const counts = { attempts: 0, interruptions: 0, interruptionsInRow: 0, snoozes: 0 };
  const said = { progress: null, progressNote: null, result: null };
  const times = { nextRunAt, createdAt: now, updatedAt: now, startedAt: null, finishedAt: null };
  const end = { durationMs: null, exitCode: null, signal: null, lastError: null, fingerprint: null };
  const hold = { held: null, lockedBy: null, lockedAt: null, cancelRequestedAt: null };
  const last = { logPath: null, usage: null };
  return {
    job: {
      ...job,
      stdinBytes: stdin?.length ?? null,
      state: 'pending',
      ...counts,
      ...said,
      ...times,
      ...end,
      ...hold,
      ...last,
    },
    attempts: [],
    ready: nextRunAt <= now,
  };
}

export function retry(model: Model, ids: readonly string[], states: readonly JobState[]): Job[] {
  const chosen = expect(model, ids, (state) => states.includes(state) && allows('retry', state));
  for (const entry of chosen) again(entry, model.now);
  return chosen.map(({ job }) => ({ ...job }));
}

export function retryAll(model: Model, filter: JobFilter): number {
  const chosen = model
    .entries()
    .filter(({ job }) => allows('retry', job.state))
    .filter(({ job }) => matches(job, filter));
  for (const entry of chosen) again(entry, model.now);
  return chosen.length;
}

function again(entry: Entry, now: number): void {
  entry.ready = true;
  const counts = { attempts: 0, interruptionsInRow: 0, snoozes: 0 };
  Object.assign(entry.job, counts, {
    state: 'pending',
    nextRunAt: now,
    runAt: null,
    held: null,
    finishedAt: null,
  });
  entry.job.updatedAt = now;
}

export function cancel(model: Model, ids: readonly string[]): Job[] {
  const chosen = expect(model, ids, (state) => allows('cancel', state) || allows('stop', state));
  for (const { job } of chosen) {
    if (job.state === 'processing') job.cancelRequestedAt = model.now;
    else Object.assign(job, { state: 'cancelled', nextRunAt: null, held: null, finishedAt: model.now });
    job.updatedAt = model.now;
  }
  return chosen.map(({ job }) => ({ ...job }));
}

const isWaiting = (state: JobState): boolean => state === 'pending' || state === 'failed';

export function change(model: Model, ids: readonly string[], wanted: WaitingChange): Job[] {
  const chosen = expect(model, ids, isWaiting, (job) =>
    wanted.kind === 'release' && job.held === null ? 'not_held' : null,
  );
  for (const entry of chosen) changeOne(entry, wanted, model.now);
  return chosen.map(({ job }) => ({ ...job }));
}

export function changeSome(model: Model, filter: JobFilter, wanted: WaitingChange): number {
  const chosen = model.entries().filter(({ job }) => isWaiting(job.state) && matches(job, filter));
  for (const entry of chosen) changeOne(entry, wanted, model.now);
  return chosen.length;
}

function changeOne(entry: Entry, wanted: WaitingChange, now: number): void {
  const { job } = entry;
  job.updatedAt = now;
  if (wanted.kind === 'hold') job.held = wanted.reason;
  else if (wanted.kind !== 'edit') job.held = null;
  if (wanted.kind === 'release' && job.state === 'pending') {
    const latest = job.snoozes > 0 ? now + LONGEST_SNOOZE_SECONDS * 1000 : now;
    job.nextRunAt = Math.min(Number(job.nextRunAt), Math.max(job.runAt ?? now, latest));
  }
  if (wanted.kind === 'run-now') Object.assign(job, { runAt: null, nextRunAt: now });
  if (wanted.kind === 'edit') Object.assign(job, wanted.edit);
  if (wanted.kind === 'edit' && wanted.edit.runAt !== undefined)
    job.nextRunAt = Math.max(wanted.edit.runAt ?? now, now);
  entry.ready = job.held === null && Number(job.nextRunAt) <= now;
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

/** All of them, or the rejection of the first that is not there or not in such a state. */
function expect(
  model: Model,
  ids: readonly string[],
  allowed: (state: JobState) => boolean,
  problem: (job: Job) => string | null = () => null,
): Entry[] {
  return ids.map((id) => {
    const entry = model.jobs.get(id);
    if (!entry) throw new Rejected('job_not_found', id);
    if (!allowed(entry.job.state)) throw new Rejected('wrong_state', id);
    const code = problem(entry.job);
    if (code !== null) throw new Rejected(code, id);
    return entry;
  });
}
