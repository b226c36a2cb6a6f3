// What a queue has done, in numbers. Unlike status it looks at every attempt, so it is not for a tight loop.

import type { JobState } from '../job/job.ts';
import type { Json } from '../job/wire.ts';
import type { Queue, WorkerView } from '../queue.ts';
import type { Figures, QueueCounts } from '../store/store.ts';
import { secondsSince, totalsOf } from './status.ts';
import { countWorkers } from './workers.ts';

export interface Metrics {
  readonly now: number;
  readonly queues: readonly QueueCounts[];
  readonly totals: Readonly<Record<JobState, number>>;
  readonly workers: readonly WorkerView[];
  readonly figures: Figures;
  /** Of the jobs that came to an end of their own, the share that completed; null when there are none. */
  readonly successRate: number | null;
}

export async function metricsOf(queue: Queue): Promise<Metrics> {
  const { queues } = await queue.overview();
  const figures = await queue.figures();
  const workers = await queue.workers();
  return {
    now: queue.now(),
    queues,
    totals: totalsOf(queues),
    workers,
    figures,
    successRate: successRateOf(totalsOf(queues)),
  };
}

function successRateOf({ completed, dead }: Readonly<Record<JobState, number>>): number | null {
  return completed + dead === 0 ? null : completed / (completed + dead);
}

export const totalJobs = (totals: Readonly<Record<JobState, number>>): number =>
  Object.values(totals).reduce((sum, n) => sum + n, 0);

export function metricsToJson(metrics: Metrics): Json {
  const { figures, totals } = metrics;
  const { minute, hour, day } = figures.completedWithin;
  return {
    total_jobs: totalJobs(totals),
    counts: totals,
    success_rate: metrics.successRate,
    attempts: figures.attempts,
    outcomes: figures.outcomes,
    average_attempts: figures.averageAttempts,
    run_ms: figures.runMs,
    wait_ms: figures.waitMs,
    completed_within: { minute, hour, day },
    throughput_per_minute: hour / 60,
    workers: countWorkers(metrics.workers),
    queues: metrics.queues.map(({ queue, counts, oldestPendingAt }) => ({
      queue,
      ...counts,
      oldest_pending_seconds: secondsSince(oldestPendingAt, metrics.now),
    })),
  };
}
