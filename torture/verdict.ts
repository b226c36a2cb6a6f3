// The final checks. Each violation is a sentence.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ARRAY_INDEX } from '../src/job/flow/array-index.ts';
import { type Attempt, isFinal, type Job } from '../src/job/job.ts';
import { environmentOf, processEntry } from '../src/process/tree/proc.ts';
import type { Queue } from '../src/queue/queue.ts';
import { TICKS_KEPT } from '../src/schedule/schedule-limits.ts';
import { timesOf } from '../src/schedule/timing.ts';
import type { Arena } from './arena.ts';
import { wrongHooks } from './checks/hooks.ts';
import { claimTimes, crowdedGates, crowdedWorkers, startedAgainst } from './checks/limits.ts';
import { mayBePruned, quarantinedIn } from './checks/pruned.ts';
import { ranTooEarly } from './checks/order.ts';
import { startedTooFast } from './checks/rates.ts';
import { type KeptSchedule, wrongSchedules } from './checks/schedules.ts';
import { doubledUnique } from './checks/unique.ts';
import { MEMORY_BUDGET_GIB, TOO_HEAVY } from './actions/heavy.ts';
import { DRIP } from './actions/limits.ts';
import { UNIQUE } from './actions/unique.ts';
import { evidenceOf, LOGS, type Problem } from './evidence.ts';
import type { Entry } from './ledger.ts';
import { type Run, runsOf } from './runs.ts';

export interface Verdict {
  readonly jobs: number;
  readonly attempts: number;
  /** Number of checked items by kind: a check without items proves nothing. */
  readonly judged: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  /** Evidence for each problem, in the same order. */
  readonly evidence: readonly (readonly string[])[];
}

export async function judge(arena: Arena, queue: Queue): Promise<Verdict> {
  const jobs = await queue.list({ sort: 'created', descending: false, limit: null });
  const entries = arena.ledger.entries();
  const linesOf = Map.groupBy(entries, ({ jobId }) => jobId);
  const kept = await keptSchedules(queue);
  const histories = new Map<string, Attempt[]>();
  for (const { id } of jobs) histories.set(id, await queue.history(id));
  const quarantined = quarantinedIn(textOf(join(arena.folder, LOGS.workers)));
  const isPrunable = (id: string): boolean => mayBePruned(linesOf.get(id) ?? [], quarantined.has(id));
  const problems: Problem[] = [
    ...missing(arena, jobs, linesOf, isPrunable),
    ...wrongArrays(arena, jobs),
    ...wrongOverHttp(arena, jobs),
    ...wrongHooks(arena.hooked, jobs, histories, new Set(linesIn(arena.hookLog))),
    ...jobs
      .filter(({ state }) => !isFinal(state))
      .map(({ id, state }) => ({ what: `job ${id} is still ${state}`, jobId: id })),
    ...entries
      .filter(({ kind }) => kind === 'overlap')
      .map(({ jobId, at }) => ({ what: `two attempts of job ${jobId} ran at once`, jobId, at })),
    ...entries
      .filter(({ kind }) => kind === 'crowded')
      .map(({ jobId, at, note }) => ({ what: `too many ran at once: ${note}`, jobId, at })),
    ...ranTooEarly(arena.waits, entries, arena),
    ...beyondLimits(arena, entries, jobs, histories),
    ...doubledUnique(jobs, entries, histories, {
      waitingKey: UNIQUE.waiting,
      replaces: (id) => id.startsWith(UNIQUE.replacing),
    }),
    ...wrongSchedules(arena.schedules, kept, jobs, {
      isDeleted: (id) => arena.doubtful.has(id) || isPrunable(id),
      forgets: arena.clockChanges.length > 0,
    }),
    ...jobs.filter(keepsLedger).flatMap((job) => compare(job, histories.get(job.id) ?? [], linesOf.get(job.id) ?? [])),
    ...(await queue.store.check()).map((what) => ({ what })),
    ...(await queue.workers()).map(({ id }) => ({ what: `worker ${id} is still registered`, name: id })),
    ...(await leftovers(arena)),
    ...arena.problems,
  ];
  const records = { folder: arena.folder, entries, histories };
  return {
    jobs: jobs.length,
    attempts: [...histories.values()].flat().length,
    judged: {
      waits: arena.waits.size,
      limits: arena.limits.length,
      unique: jobs.filter(({ uniqueKey }) => uniqueKey !== null).length,
      hooks: jobs.filter(({ hookOf }) => hookOf !== null).length,
      transfers: arena.transfers,
      arrays: arena.arrays.size,
      pruned: [...arena.fleeting].filter((id) => linesOf.has(id)).length,
      'over HTTP': arena.webJobs.size,
      'too heavy': jobs.filter(isTooHeavy).length,
      schedules: arena.schedules.size,
      ticks: kept.reduce((sum, { ticks }) => sum + ticks.length, 0),
      'jobs of ticks': jobs.filter(({ schedule }) => schedule !== null).length,
    },
    problems: problems.map(({ what }) => what),
    evidence: problems.map((problem) => evidenceOf(problem, records)),
  };
}

type LinesOf = ReadonlyMap<string, readonly Entry[]>;

function missing(arena: Arena, jobs: readonly Job[], linesOf: LinesOf, isPrunable: (id: string) => boolean): Problem[] {
  const there = new Set(jobs.map(({ id }) => id));
  const gone = [...arena.acknowledged, ...arena.untouched].filter(
    (id) => !there.has(id) && !arena.doubtful.has(id) && !isPrunable(id),
  );
  const unstarted = [...arena.fleeting].filter((id) => !there.has(id) && !linesOf.has(id));
  return [
    ...gone.map((id) => ({ what: `job ${id} was acknowledged and is gone`, jobId: id })),
    ...unstarted.map((id) => ({ what: `job ${id} was pruned before it ran`, jobId: id })),
  ];
}

const isTooHeavy = ({ tags }: Job): boolean => tags.includes(TOO_HEAVY);

/** Commands of hooks and of jobs that are too heavy write nothing to the ledger. */
const keepsLedger = (job: Job): boolean => job.hookOf === null && !isTooHeavy(job);

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const linesIn = (path: string): string[] => textOf(path).split('\n').filter(Boolean);

/** Each completed job of an array must have written its own index. */
function wrongArrays(arena: Arena, jobs: readonly Job[]): Problem[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return [...arena.arrays].flatMap(([group, { ids, file }]) => {
    const written = new Set(linesIn(file));
    return ids
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ state, env }) => state === 'completed' && !written.has(env[ARRAY_INDEX] ?? ''))
      .map(({ id }) => ({ what: `job ${id} of ${group} completed and did not write its index`, jobId: id }));
  });
}

/** However often a request was sent, it must have created exactly the acknowledged job. */
function wrongOverHttp(arena: Arena, jobs: readonly Job[]): Problem[] {
  const byName = Map.groupBy(
    jobs.filter(({ name }) => name !== null && arena.webNames.has(name)),
    ({ name }) => name,
  );
  return [...byName].flatMap(([name, made]) => {
    const expected = arena.webJobs.get(name ?? '');
    const wrong = made.filter(({ id }, i) => (expected === undefined ? i > 0 : id !== expected));
    return wrong.map(({ id }) => ({ what: `the request ${name} made job ${id} as well`, jobId: id }));
  });
}

/** A claim and the start of its command are never this far apart unless the clock was wrong. */
const WRONG_CLOCK_MS = 30_000;

function beyondLimits(
  arena: Arena,
  entries: readonly Entry[],
  jobs: readonly Job[],
  histories: ReadonlyMap<string, readonly Attempt[]>,
): Problem[] {
  const runs = runsOf(entries);
  const claimedAt = claimTimes(histories);
  const areClocksRight = arena.clockChanges.length === 0;
  // The claim time of a deleted job is unknown, so it is not reported.
  const isClaimedBy = (run: Run, time: number): boolean => areClocksRight && (claimedAt(run) ?? time) <= time;
  const inDrip = new Set(jobs.filter(({ queue }) => queue === DRIP.queue).map(({ id }) => id));
  const claims = runs
    .filter(({ jobId }) => inDrip.has(jobId))
    .map((run) => ({ jobId: run.jobId, at: claimedAt(run) ?? 0, startedAt: run.start.at }))
    .filter(({ at, startedAt }) => Math.abs(startedAt - at) < WRONG_CLOCK_MS);
  return [
    ...crowdedGates(runs),
    ...crowdedWorkers(runs, ({ queue }) => ({
      slots: arena.slotsOf(queue),
      memoryGib: MEMORY_BUDGET_GIB,
    })),
    ...arena.limits.flatMap((limit) => startedAgainst(limit, runs, isClaimedBy)),
    ...startedTooFast(DRIP, claims, arena.clockChanges),
  ];
}

async function keptSchedules(queue: Queue): Promise<KeptSchedule[]> {
  const schedules = await queue.schedules();
  const kept: KeptSchedule[] = [];
  for (const schedule of await schedules.all()) {
    const next = await timesOf(schedule.spec.timing);
    kept.push({ schedule, next, ticks: await schedules.ticks(schedule.name, 2 * TICKS_KEPT) });
  }
  return kept;
}

/** Outcomes of attempts that may have been cut off before the first line was written. */
const CUT_SHORT = new Set(['worker_lost', 'released', 'cancelled', 'timeout', 'signalled', 'not_started']);

/** Each start in the ledger must have an attempt in the store, and vice versa. */
function compare(job: Job, history: readonly Attempt[], own: readonly Entry[]): Problem[] {
  const starts = own.filter(({ kind }) => kind === 'start');
  const known = new Set(history.map(({ pid }) => pid));
  const withoutPid = history.filter(({ pid }) => pid === null).length;
  const unknown = starts.filter(({ pid }) => !known.has(pid)).length;
  const started = new Set(starts.map(({ pid }) => pid));
  const silent = history.filter(({ pid, outcome }) => !started.has(pid ?? -1) && !CUT_SHORT.has(outcome ?? ''));
  const open = history.filter(({ endedAt }) => endedAt === null);
  const sentences = [
    ...(unknown > withoutPid ? [`job ${job.id} started ${unknown - withoutPid} times more than the store knows`] : []),
    ...silent.map(({ run }) => `run ${run} of job ${job.id} never started`),
    ...open.map(({ run }) => `run ${run} of job ${job.id} has no end`),
    ...(job.state === 'completed' ? completedForReal(job, history, own) : []),
  ];
  return sentences.map((what) => ({ what, jobId: job.id }));
}

function completedForReal(job: Job, history: readonly Attempt[], own: readonly Entry[]): string[] {
  const last = history.at(-1);
  const ended = own.some(({ kind, pid }) => kind === 'end' && pid === last?.pid);
  return ended ? [] : [`job ${job.id} is completed, but its command did not come to its end`];
}

/** Workers that have left, and their guards, take a moment to exit. */
const END_WITHIN_MS = 30_000;

async function leftovers(arena: Arena): Promise<Problem[]> {
  const deadline = performance.now() + END_WITHIN_MS;
  while (arena.survivors().length > 0 && performance.now() < deadline) await sleep(50);
  return arena.survivors().map((pid) => ({
    what: `process ${pid} was left behind: ${processEntry(pid)?.isStopped ? 'stopped, ' : ''}${environmentOf(pid)?.replaceAll('\0', ' ')}`,
    at: Date.now(),
  }));
}
