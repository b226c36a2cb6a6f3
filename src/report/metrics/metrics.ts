// Metrics of a queue. Unlike the status, they read every attempt, so they are not for a tight loop. Values for recent
// periods and totals come from the time series, which includes deleted jobs.

import type { JobState } from '../../job/job.ts';
import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import { isoTime } from '../../job/wire.ts';
import type { Queue, WorkerView } from '../../queue/queue.ts';
import type { Figures, QueueCounts, QueueLimit, WaitCounts } from '../../store/store.ts';
import { type Series, type SeriesQuery, type Summary, seriesOf, summaryOf, summaryToJson } from './series.ts';
import { sizeOf } from '../group.ts';
import { countsToJson, totalsOf } from '../status.ts';
import { countWorkers } from '../workers.ts';

export interface Metrics {
  readonly now: number;
  readonly queues: readonly QueueCounts[];
  readonly totals: Readonly<Record<JobState, number>>;
  readonly workers: readonly WorkerView[];
  readonly figures: Figures;
  readonly waits: WaitCounts;
  /** Queues that are limited, paused or being drained. */
  readonly limits: readonly QueueLimit[];
  /** Completed jobs as a share of completed and dead jobs, including deleted ones; null if there are none. */
  readonly successRate: number | null;
  /** Jobs completed in the last minute, hour and day, including deleted ones. */
  readonly completedWithin: Figures['completedWithin'];
  readonly lastHour: Series;
  readonly lastDay: Series;
  /** Since the queue was created or reset. */
  readonly ever: Summary;
}

export async function metricsOf(queue: Queue): Promise<Metrics> {
  const { queues } = await queue.overview();
  const figures = await queue.figures();
  const workers = await queue.workers();
  const lastHour = await seriesOf(queue, lately(queue, HOUR_MS, HOUR_MS / 30));
  const lastDay = await seriesOf(queue, lately(queue, 24 * HOUR_MS, HOUR_MS));
  const ever = await everOf(queue);
  return {
    now: queue.now(),
    queues,
    totals: totalsOf(queues),
    workers,
    figures,
    waits: await queue.waits.counts(),
    limits: await queue.queues.limits(),
    successRate: successRateOf(fullerOf(ever, totalsOf(queues))),
    completedWithin: {
      minute: Math.max(figures.completedWithin.minute, await completedThisMinute(queue)),
      hour: Math.max(figures.completedWithin.hour, lastHour.sum.completed),
      day: Math.max(figures.completedWithin.day, lastDay.sum.completed),
    },
    lastHour,
    lastDay,
    ever,
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const lately = (queue: Queue, ms: number, stepMs: number): SeriesQuery => ({
  from: queue.now() - ms,
  to: queue.now(),
  stepMs,
});

const everOf = async (queue: Queue): Promise<Summary> =>
  summaryOf((await queue.totals()).find((total) => total.queue === EVERY_QUEUE)?.tally ?? {});

/** Series have whole minutes, so only the current one is certainly within the last minute. */
async function completedThisMinute(queue: Queue): Promise<number> {
  const begin = Math.floor(queue.now() / MINUTE_MS) * MINUTE_MS;
  return (await seriesOf(queue, { from: begin, to: begin + MINUTE_MS })).sum.completed;
}

type Ends = Pick<Readonly<Record<JobState, number>>, 'completed' | 'dead'>;

/** The time series includes deleted jobs, the stored jobs include imported ones. */
const fullerOf = (ever: Ends, kept: Ends): Ends =>
  ever.completed + ever.dead >= kept.completed + kept.dead ? ever : kept;

function successRateOf({ completed, dead }: Ends): number | null {
  return completed + dead === 0 ? null : completed / (completed + dead);
}

export type MetricsJson = ReturnType<typeof metricsToJson>;

export function metricsToJson(metrics: Metrics) {
  const { figures, totals } = metrics;
  const { minute, hour, day } = metrics.completedWithin;
  return {
    total_jobs: sizeOf(totals),
    counts: totals,
    success_rate: metrics.successRate,
    attempts: figures.attempts,
    outcomes: figures.outcomes,
    average_attempts: figures.averageAttempts,
    run_ms: figures.runMs,
    wait_ms: figures.waitMs,
    cpu_ms: figures.cpuMs,
    peak_memory_bytes: figures.peakMemoryBytes,
    completed_within: { minute, hour, day },
    throughput_per_minute: hour / 60,
    last_hour: summaryToJson(metrics.lastHour.sum),
    last_day: summaryToJson(metrics.lastDay.sum),
    ever: summaryToJson(metrics.ever),
    held: metrics.waits.held,
    limited: metrics.waits.atGate,
    groups: metrics.waits.groups,
    schedules: metrics.waits.schedules,
    next_schedule_at: isoTime(metrics.waits.nextTickAt),
    workers: countWorkers(metrics.workers),
    queues: countsToJson(metrics.queues, metrics.now),
    queue_limits: metrics.limits.map(limitToJson),
  };
}

const limitToJson = (limit: QueueLimit) => ({
  queue: limit.queue,
  paused_at: isoTime(limit.pausedAt),
  draining_at: isoTime(limit.drainingAt),
  concurrency: limit.concurrency,
  rate_per_second: limit.ratePerSecond,
  burst: limit.burst,
});
