// Reports that a server makes, as the commands show them.

import { isoTime } from '../job/wire.ts';
import type { Answer } from '../library/caller.ts';
import type { Reports } from '../queue/interface.ts';
import type { Metrics } from '../report/metrics/metrics.ts';
import type { Series, SeriesQuery, Summary } from '../report/metrics/series.ts';
import {
  attemptFrom,
  camelCased,
  countsFrom,
  jobFrom,
  queueCountsFrom,
  queueFrom,
  statusFrom,
  timeOf,
  waitCountsFrom,
  waitFrom,
  workerFrom,
} from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { pagesOf } from './remote-jobs.ts';

type WireSeries = Answer<'getSeries'>;
type WireSummary = Answer<'getMetrics'>['ever'];

const HOUR_MS = 3_600_000;

export function remoteReports(caller: RemoteCaller): Reports {
  const series = async ({ from, to, stepMs, queue }: SeriesQuery): Promise<Series> =>
    seriesFrom(
      await caller.call('getSeries', {
        from: isoTime(from) ?? undefined,
        to: isoTime(to) ?? undefined,
        step: stepMs === undefined ? undefined : Math.ceil(stepMs / 1000),
        queue,
      }),
    );
  return {
    series,
    status: async (queue) => statusFrom(await caller.call('getStats', { queue }), Date.now()),
    details: async ({ id }) => {
      const json = await caller.call('getJob', { id });
      return {
        now: Date.now(),
        job: jobFrom(json),
        environment: json.environment,
        history: json.history.map(attemptFrom),
        waits: json.waits_for.map(waitFrom),
        logFile: null,
        spansHosts: true,
      };
    },
    graph: async (target) => {
      const { left_out: leftOut, ...graph } = await (target.startsWith('group:')
        ? caller.call('getGroupGraph', { name: target.slice(6) })
        : caller.call('getJobGraph', { id: target }));
      return { ...graph, leftOut };
    },
    queues: async () => (await caller.call('listQueues', {})).queues.map(queueFrom),
    queue: async (name) => queueFrom(await caller.call('getQueue', { name })),
    metrics: async () => {
      const now = Date.now();
      const lately = (ms: number, stepMs: number): Promise<Series> =>
        series({ from: now - ms, to: now, stepMs });
      return metricsFrom(
        await caller.call('getMetrics', {}),
        (await caller.call('listWorkers', {})).workers.map(workerFrom),
        { lastHour: await lately(HOUR_MS, HOUR_MS / 30), lastDay: await lately(24 * HOUR_MS, HOUR_MS) },
        now,
      );
    },
    prometheus: () => caller.metrics(),
    pages: (query) => pagesOf(caller, query),
  };
}

const summaryFrom = ({ run_ms, wait_ms, cpu_seconds, ...counts }: WireSummary): Summary => ({
  ...counts,
  run: run_ms,
  wait: wait_ms,
  cpuSeconds: cpu_seconds,
});

const seriesFrom = (json: WireSeries): Series => ({
  queue: json.queue,
  from: timeOf(json.from),
  to: timeOf(json.to),
  stepMs: json.step_seconds * 1000,
  sum: summaryFrom(json.sum),
  points: json.points.map(({ at, ...summary }) => ({ at: timeOf(at), ...summaryFrom(summary) })),
});

const metricsFrom = (
  json: Answer<'getMetrics'>,
  workers: Metrics['workers'],
  lately: Pick<Metrics, 'lastHour' | 'lastDay'>,
  now: number,
): Metrics => ({
  ...lately,
  now,
  queues: json.queues.map((queue) => queueCountsFrom(queue, now)),
  totals: countsFrom(json.counts),
  workers,
  figures: {
    attempts: json.attempts,
    outcomes: json.outcomes,
    averageAttempts: json.average_attempts,
    runMs: json.run_ms,
    waitMs: json.wait_ms,
    cpuMs: json.cpu_ms,
    peakMemoryBytes: json.peak_memory_bytes,
    completedWithin: json.completed_within,
  },
  waits: waitCountsFrom(json),
  limits: json.queue_limits.map((limit) => camelCased(limit) as unknown as Metrics['limits'][number]),
  successRate: json.success_rate,
  completedWithin: json.completed_within,
  ever: summaryFrom(json.ever),
});
