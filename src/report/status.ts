// Status of a queue. Uses counters and worker records, so its cost does not depend on the number of jobs.

import { isDue } from '../job/due.ts';
import { type JobState, STATES } from '../job/job.ts';
import { TRANSITIONS } from '../job/lifecycle.ts';
import { EVERY_QUEUE } from '../job/flow/concurrency.ts';
import { CLAIMABLE_STATES, countClaimable } from '../job/state-sets.ts';
import { isoTime, type Json } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import type { Overview, QueueCounts, QueueLimit, WaitCounts } from '../store/store.ts';
import { holdsBack } from '../worker/holds-back.ts';
import { storageTroubles } from './health/storage.ts';
import {
  countByHost,
  countWorkers,
  type HostCounts,
  noticesOf,
  serves,
  unservedOf,
  type WorkerCounts,
} from './workers.ts';

export interface Status {
  readonly now: number;
  /** Queue location, without a password. */
  readonly place: string;
  readonly queues: readonly QueueCounts[];
  readonly totals: Readonly<Record<JobState, number>>;
  readonly oldestPendingAt: number | null;
  readonly nextRetryAt: number | null;
  /** Next time when a waiting job becomes due, including retries. */
  readonly nextRunAt: number | null;
  readonly workers: WorkerCounts;
  readonly hosts: readonly HostCounts[];
  /** Queues with waiting jobs that no worker serves. */
  readonly unserved: readonly string[];
  /** Counted up to WAITING_COUNTED. */
  readonly waits: WaitCounts;
  /** Paused queues among those shown. */
  readonly paused: readonly string[];
  /** True if all queues are paused. */
  readonly isAllPaused: boolean;
  /** Temporary problems, one sentence each. */
  readonly degraded: readonly string[];
  /** Why healthy workers start no jobs, one sentence each. */
  readonly admission: readonly string[];
}

/** Limit for counting waiting jobs, groups and schedules, so that the cost of a status is bounded. */
export const WAITING_COUNTED = 1000;

/** Covers all queues unless `name` is given. */
export async function statusOf(queue: Queue, name?: string): Promise<Status> {
  const [overview, all] = [await queue.overview(), await queue.workers()];
  const queues = name === undefined ? overview.queues : [countsOf(overview, name)];
  const workers = name === undefined ? all : all.filter((worker) => serves(worker, name));
  return {
    now: queue.now(),
    place: queue.place.name,
    queues,
    totals: totalsOf(queues),
    oldestPendingAt: earliest(queues.map(({ oldestPendingAt }) => oldestPendingAt)),
    ...(await nextTimes(queue, overview, queues)),
    workers: countWorkers(workers),
    hosts: countByHost(workers),
    unserved: unservedOf(queues, workers),
    waits: await queue.waits.counts(name, WAITING_COUNTED),
    ...pausedAmong(await queue.queues.limits(), name),
    degraded: [...noticesOf(workers).filter((notice) => !holdsBack(notice)), ...storageTroubles(queue.place)],
    admission: noticesOf(workers).filter(holdsBack),
  };
}

function pausedAmong(limits: readonly QueueLimit[], name?: string): Pick<Status, 'paused' | 'isAllPaused'> {
  const paused = limits.filter(({ pausedAt }) => pausedAt !== null).map(({ queue }) => queue);
  return {
    paused: paused.filter((queue) => queue !== EVERY_QUEUE && (name === undefined || queue === name)),
    isAllPaused: paused.includes(EVERY_QUEUE),
  };
}

/** All states and active_workers are numbers at the top level, which is convenient for scripts. */
export function statusToJson(status: Status): Json {
  const { workers } = status;
  return {
    ...status.totals,
    held: status.waits.held,
    limited: status.waits.atGate,
    active_workers: workers.active,
    oldest_pending_seconds: secondsSince(status.oldestPendingAt, status.now),
    next_retry_at: isoTime(status.nextRetryAt),
    next_run_at: isoTime(status.nextRunAt),
    queues: countsToJson(status.queues, status.now),
    workers,
    hosts: status.hosts,
    unserved_queues: status.unserved,
    paused_queues: status.paused,
    all_paused: status.isAllPaused,
    groups: status.waits.groups,
    schedules: status.waits.schedules,
    next_schedule_at: isoTime(status.waits.nextTickAt),
    degraded: status.degraded,
    admission: status.admission,
    db: status.place,
  };
}

export const countsToJson = (queues: readonly QueueCounts[], now: number) =>
  queues.map(({ queue, counts, oldestPendingAt }) => ({
    queue,
    ...counts,
    oldest_pending_seconds: secondsSince(oldestPendingAt, now),
  }));

export const secondsSince = (at: number | null, now: number): number | null =>
  at === null ? null : Math.max(0, (now - at) / 1000);

export function totalsOf(queues: readonly QueueCounts[]): Record<JobState, number> {
  const sum = (state: JobState): number => queues.reduce((total, { counts }) => total + counts[state], 0);
  return Object.fromEntries(STATES.map((state) => [state, sum(state)])) as Record<JobState, number>;
}

const countsOf = ({ queues }: Overview, name: string): QueueCounts =>
  queues.find(({ queue }) => queue === name) ?? { queue: name, counts: totalsOf([]), oldestPendingAt: null };

export const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** With more waiting jobs than this, the next times of a single queue stay unknown. */
const LOOK_AT_MOST = 1000;

type NextTimes = Pick<Status, 'nextRetryAt' | 'nextRunAt'>;

/** The overview has these times for all queues together. For a single queue they are read from its jobs, if it has few. */
async function nextTimes(queue: Queue, overview: Overview, shown: readonly QueueCounts[]): Promise<NextTimes> {
  const waiting = ({ counts }: QueueCounts): number => countClaimable(counts);
  const [only] = shown;
  const hasAll = overview.queues.every((other) => waiting(other) === 0 || shown.some((s) => s.queue === other.queue));
  if (hasAll) return { nextRetryAt: overview.nextRetryAt, nextRunAt: overview.nextDueAt };
  if (!only || waiting(only) > LOOK_AT_MOST) return { nextRetryAt: null, nextRunAt: null };
  const jobs = await queue.list({
    states: CLAIMABLE_STATES,
    queue: only.queue,
    sort: 'next_run',
    descending: false,
    limit: null,
  });
  const later = jobs.filter(({ nextRunAt }) => nextRunAt !== null && !isDue(nextRunAt, queue.now()));
  const retry = later.find(({ state }) => state === TRANSITIONS.fail.to);
  return { nextRetryAt: retry?.nextRunAt ?? null, nextRunAt: later[0]?.nextRunAt ?? null };
}
