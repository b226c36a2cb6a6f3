// What must be true at the end, each a sentence that names what broke it.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, isFinal, type Job } from '../src/job/job.ts';
import type { Queue } from '../src/queue.ts';
import type { Arena } from './arena.ts';
import type { Entry } from './ledger.ts';

export interface Verdict {
  readonly jobs: number;
  readonly attempts: number;
  readonly problems: readonly string[];
}

export async function judge(arena: Arena, queue: Queue): Promise<Verdict> {
  const jobs = await queue.list({ sort: 'created', descending: false, limit: null });
  const entries = arena.ledger.entries();
  const histories = new Map<string, Attempt[]>();
  for (const { id } of jobs) histories.set(id, await queue.history(id));
  const problems = [
    ...missing(arena, jobs),
    ...jobs.filter(({ state }) => !isFinal(state)).map(({ id, state }) => `job ${id} is still ${state}`),
    ...entries
      .filter(({ kind }) => kind === 'overlap')
      .map(({ jobId }) => `two attempts of job ${jobId} ran at once`),
    ...jobs.flatMap((job) => compare(job, histories.get(job.id) ?? [], entries)),
    ...(await queue.store.check()),
    ...(await queue.workers()).map(({ id }) => `worker ${id} is still registered`),
    ...(await leftovers(arena)),
    ...arena.problems,
  ];
  return { jobs: jobs.length, attempts: [...histories.values()].flat().length, problems };
}

function missing(arena: Arena, jobs: readonly Job[]): string[] {
  const there = new Set(jobs.map(({ id }) => id));
  return [...arena.acknowledged]
    .filter((id) => !there.has(id) && !arena.doubtful.has(id))
    .map((id) => `job ${id} was acknowledged and is gone`);
}

/** Outcomes of attempts that may have been cut off before the job could write its first line. */
const CUT_SHORT = new Set(['worker_lost', 'released', 'cancelled', 'timeout', 'signalled', 'not_started']);

/** Each start in the ledger has its attempt in the store, and the reverse. */
function compare(job: Job, history: readonly Attempt[], entries: readonly Entry[]): string[] {
  const own = entries.filter(({ jobId }) => jobId === job.id);
  const starts = own.filter(({ kind }) => kind === 'start');
  const known = new Set(history.map(({ pid }) => pid));
  const withoutPid = history.filter(({ pid }) => pid === null).length;
  const unknown = starts.filter(({ pid }) => !known.has(pid)).length;
  const started = new Set(starts.map(({ pid }) => pid));
  const silent = history.filter(
    ({ pid, outcome }) => !started.has(pid ?? -1) && !CUT_SHORT.has(outcome ?? ''),
  );
  const open = history.filter(({ endedAt }) => endedAt === null);
  return [
    ...(unknown > withoutPid
      ? [`job ${job.id} started ${unknown - withoutPid} times more than the store knows`]
      : []),
    ...silent.map(({ number }) => `attempt ${number} of job ${job.id} never started`),
    ...open.map(({ number }) => `attempt ${number} of job ${job.id} has no end`),
    ...(job.state === 'completed' ? completedForReal(job, history, own) : []),
  ];
}

function completedForReal(job: Job, history: readonly Attempt[], own: readonly Entry[]): string[] {
  const last = history.at(-1);
  const ended = own.some(({ kind, pid }) => kind === 'end' && pid === last?.pid);
  return ended ? [] : [`job ${job.id} is completed, but its command did not come to its end`];
}

/** Workers that have left, and their guards, take a moment to end. */
const END_WITHIN_MS = 5000;

async function leftovers(arena: Arena): Promise<string[]> {
  const deadline = performance.now() + END_WITHIN_MS;
  while (arena.survivors().length > 0 && performance.now() < deadline) await sleep(50);
  return arena.survivors().map((pid) => `process ${pid} was left behind`);
}
