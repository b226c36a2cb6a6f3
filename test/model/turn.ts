// What workers do, done to the model: a turn, a rescue, a repaired backoff. plan() decides, as it does in the store.

import { NO_OUTPUT } from '../../src/job/output/output.ts';
import type { Ending, JobState } from '../../src/job/job.ts';
import { plan, type RetryPolicy } from '../../src/job/lifecycle.ts';
import type { Rescued, StopMode, WorkerIdentity } from '../../src/store/store.ts';
import { endings } from '../support/jobs.ts';
import type { Entry, Handed, Model } from './model.ts';

export interface ModelTurn {
  readonly worker: WorkerIdentity;
  readonly started: readonly { lease: Handed; pid: number }[];
  readonly ended: readonly { lease: Handed; ending: Ending }[];
  readonly want: number;
  readonly queues: readonly string[] | null;
  readonly only: string | undefined;
  readonly policy: RetryPolicy;
  readonly maxConcurrentJobs: number | null;
}

export interface ModelTurnResult {
  readonly settled: readonly (JobState | null)[];
  readonly claimed: readonly Entry[];
  readonly cancelling: readonly Handed[];
  readonly known: boolean;
  readonly stopRequested: StopMode | null;
  readonly nextDueAt: number | null;
}

export const logPath = (id: string, run: number): string => `logs/${id}.${run}`;

export function takeTurn(model: Model, turn: ModelTurn): ModelTurnResult {
  if (!model.workers.has(turn.worker.id)) return rejected(model, turn);
  for (const { lease, pid } of turn.started) recordStart(model, lease, pid);
  const settled = turn.ended.map(({ lease, ending }) => settle(model, lease, ending, turn.policy));
  for (const { job } of waiting(model)) if (Number(job.nextRunAt) <= model.now) ready(model, job.id);
  const worker = model.workers.get(turn.worker.id);
  const cancelled = model.held(turn.worker.id).filter(({ job }) => job.cancelRequestedAt !== null);
  const cancelling = model.leases(cancelled);
  const claimed = worker?.stopRequested === null ? claim(model, turn) : [];
  return {
    settled,
    claimed,
    cancelling,
    known: worker !== undefined,
    stopRequested: worker?.stopRequested ?? null,
    nextDueAt: nextDueAt(model),
  };
}

/** One that is not known changes nothing. */
const rejected = (model: Model, turn: ModelTurn): ModelTurnResult => ({
  settled: turn.ended.map(() => null),
  claimed: [],
  cancelling: [],
  known: false,
  stopRequested: null,
  nextDueAt: nextDueAt(model),
});

/** Jobs that wait for their time. */
const waiting = (model: Model): Entry[] =>
  model.entries().filter(({ job, ready }) => !ready && job.nextRunAt !== null && job.held === null);

function ready(model: Model, id: string): void {
  const entry = model.jobs.get(id);
  if (entry) entry.ready = true;
}

export function nextDueAt(model: Model, state?: JobState): number | null {
  const jobs = waiting(model).filter(({ job }) => state === undefined || job.state === state);
  return earliest(jobs.map(({ job }) => job.nextRunAt));
}

export function earliest(times: readonly (number | null)[]): number | null {
  return times.length === 0 ? null : Math.min(...times.map(Number));
}

function recordStart(model: Model, lease: Handed, pid: number): void {
  const attempt = lease.entry.attempts[lease.run - 1];
  if (model.holds(lease) && attempt) Object.assign(attempt, { pid, pidStartedAt: String(pid) });
}

function settle(model: Model, lease: Handed, ending: Ending, policy: RetryPolicy): JobState | null {
  return model.holds(lease) ? end(model, lease.entry, ending, policy) : null;
}

function end(model: Model, entry: Entry, ending: Ending, policy: RetryPolicy): JobState {
  const { now } = model;
  const { event: _, outcome, error, ...settlement } = plan(entry.job, ending, policy, now, 0.5);
  const { exitCode, signal, durationMs } = ending;
  Object.assign(entry.attempts.at(-1) ?? {}, { endedAt: now, outcome, exitCode, signal, error });
  Object.assign(entry.job, settlement, { exitCode, signal, durationMs, updatedAt: now });
  Object.assign(entry.job, { lockedBy: null, lockedAt: null, cancelRequestedAt: null });
  entry.ready = settlement.nextRunAt !== null && settlement.nextRunAt <= now;
  return settlement.state;
}

function claim(model: Model, turn: ModelTurn): Entry[] {
  const running = model.entries().filter(({ job }) => job.state === 'processing').length;
  const room = turn.maxConcurrentJobs === null ? Infinity : turn.maxConcurrentJobs - running;
  const chosen = model
    .entries()
    .filter(({ job, ready }) => ready && job.nextRunAt !== null)
    .filter(({ job }) => turn.only === undefined || job.id === turn.only)
    .filter(({ job }) => turn.queues?.includes(job.queue) ?? true)
    .toSorted((a, b) => b.job.priority - a.job.priority)
    .slice(0, Math.max(0, Math.min(turn.want, room)));
  for (const entry of chosen) begin(entry, turn.worker, model.now);
  return chosen;
}

function begin(entry: Entry, worker: WorkerIdentity, now: number): void {
  const { job, attempts } = entry;
  const run = attempts.length + 1;
  attempts.push({
    run,
    number: job.attempts + 1,
    workerId: worker.id,
    host: worker.host,
    bootId: worker.bootId,
    startedAt: now,
    logPath: logPath(job.id, run),
    ...{ pid: null, pidStartedAt: null, endedAt: null, outcome: null },
    ...{ exitCode: null, signal: null, error: null, usage: null, output: NO_OUTPUT },
  });
  entry.ready = false;
  Object.assign(job, { state: 'processing', attempts: job.attempts + 1, nextRunAt: null, startedAt: now });
  Object.assign(job, { finishedAt: null, durationMs: null, updatedAt: now, lockedBy: worker.id });
  Object.assign(job, { progress: null, progressNote: null, result: null });
  Object.assign(job, { lockedAt: now, logPath: logPath(job.id, run) });
}

export function rescue(model: Model, workerId: string, policy: RetryPolicy): Rescued[] | null {
  if (!model.workers.delete(workerId)) return null;
  return model.held(workerId).map((entry) => {
    const durationMs = Math.max(0, model.now - Number(entry.job.startedAt));
    const state = end(model, entry, { ...endings.worker_lost, durationMs }, policy);
    const run = entry.attempts.length;
    return { jobId: entry.job.id, run, logPath: logPath(entry.job.id, run), state };
  });
}

export function repairBackoffs(model: Model): number {
  const ahead = waiting(model).filter(({ job }) => job.state === 'failed' && job.updatedAt > model.now + 1000);
  for (const { job } of ahead) {
    job.nextRunAt = model.now + Number(job.nextRunAt) - job.updatedAt;
    job.updatedAt = model.now;
  }
  return ahead.length;
}
