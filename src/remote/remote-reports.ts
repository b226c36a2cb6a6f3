// Reports that a server makes, as the commands show them.

import type { DependencyRule } from '../job/flow/dependencies.ts';
import { isoTime } from '../job/wire.ts';
import type * as data from '../library/data.ts';
import { jobPath, named } from '../library/caller.ts';
import type { Graph } from '../report/graph.ts';
import type { Metrics } from '../report/metrics/metrics.ts';
import type { RemoteReports } from '../report/remote.ts';
import type { Series, SeriesQuery, Summary, Times } from '../report/metrics/series.ts';
import type { Figures } from '../store/store.ts';
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

type WireSummary = Omit<Summary, 'run' | 'wait' | 'cpuSeconds'> & {
  readonly run_ms: Times | null;
  readonly wait_ms: Times | null;
  readonly cpu_seconds: number;
};

interface WireSeries {
  readonly queue: string;
  readonly from: string;
  readonly to: string;
  readonly step_seconds: number;
  readonly sum: WireSummary;
  readonly points: readonly (WireSummary & { readonly at: string })[];
}

interface WireMetrics {
  readonly counts: Metrics['totals'];
  readonly success_rate: number | null;
  readonly attempts: number;
  readonly outcomes: Figures['outcomes'];
  readonly average_attempts: number | null;
  readonly run_ms: Figures['runMs'];
  readonly wait_ms: Figures['waitMs'];
  readonly cpu_ms: Figures['cpuMs'];
  readonly peak_memory_bytes: Figures['peakMemoryBytes'];
  readonly completed_within: Figures['completedWithin'];
  readonly ever: WireSummary;
  readonly held: number;
  readonly limited: number;
  readonly groups: number;
  readonly schedules: number;
  readonly next_schedule_at: string | null;
  readonly queues: data.Status['queues'];
  readonly queue_limits: readonly object[];
}

const HOUR_MS = 3_600_000;

export function remoteReportsOver(caller: RemoteCaller): RemoteReports {
  const series = async ({ from, to, stepMs, queue }: SeriesQuery): Promise<Series> =>
    seriesFrom(
      await caller.get('/stats/series', {
        from: isoTime(from) ?? undefined,
        to: isoTime(to) ?? undefined,
        step: stepMs === undefined ? undefined : Math.ceil(stepMs / 1000),
        queue,
      }),
    );
  return {
    series,
    status: async (queue) => statusFrom(await caller.get('/stats', { queue }), Date.now()),
    details: async (id) => {
      const json = await caller.get<data.JobDetails>(jobPath(id));
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
      const isGroup = target.startsWith('group:');
      const path = isGroup ? `/groups/${named(target.slice(6))}` : jobPath(target);
      const json = await caller.get<WireGraph>(`${path}/graph`);
      return { nodes: json.nodes, edges: json.edges, leftOut: json.left_out };
    },
    queues: async () => (await caller.get<{ queues: data.NamedQueue[] }>('/queues')).queues.map(queueFrom),
    metrics: async () => {
      const now = Date.now();
      const lately = (ms: number, stepMs: number): Promise<Series> =>
        series({ from: now - ms, to: now, stepMs });
      return metricsFrom(
        await caller.get('/stats/metrics'),
        (await caller.get<{ workers: data.Worker[] }>('/workers')).workers,
        { lastHour: await lately(HOUR_MS, HOUR_MS / 30), lastDay: await lately(24 * HOUR_MS, HOUR_MS) },
        now,
      );
    },
    prometheus: () => caller.text('/metrics'),
    pages: (query) => pagesOf(caller, query),
  };
}

interface WireGraph {
  readonly nodes: Graph['nodes'];
  readonly edges: readonly { parent: string; child: string; rule: DependencyRule | 'member' }[];
  readonly left_out: number;
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
  json: WireMetrics,
  workers: readonly data.Worker[],
  lately: Pick<Metrics, 'lastHour' | 'lastDay'>,
  now: number,
): Metrics => ({
  ...lately,
  now,
  queues: json.queues.map((queue) => queueCountsFrom(queue, now)),
  totals: countsFrom(json.counts),
  workers: workers.map(workerFrom),
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
