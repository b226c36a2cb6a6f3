// The same numbers in Prometheus' text format, version 0.0.4.

import { OUTCOMES, STATES } from '../job/job.ts';
import type { Spread } from '../store/store.ts';
import type { Metrics } from './metrics.ts';
import { secondsSince } from './status.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

const WORKER_STATES = ['idle', 'busy', 'stopping', 'lost'] as const;

export function prometheusText(metrics: Metrics): string {
  const { queues, workers, figures, now } = metrics;
  const { minute, hour, day } = figures.completedWithin;
  return [
    family(
      'jobs',
      'gauge',
      'Jobs in the queue by state.',
      queues.flatMap(({ queue, counts }) => STATES.map((state): Sample => [{ queue, state }, counts[state]])),
    ),
    family(
      'oldest_pending_seconds',
      'gauge',
      'How long the longest waiting job that could run has waited.',
      queues.map(({ queue, oldestPendingAt }) => [{ queue }, secondsSince(oldestPendingAt, now) ?? 0]),
    ),
    family(
      'workers',
      'gauge',
      'Workers by state.',
      WORKER_STATES.map((state) => [{ state }, workers.filter((worker) => worker.state === state).length]),
    ),
    family(
      'attempts',
      'gauge',
      'Attempts that have ended, of the jobs that are in the queue, by outcome.',
      OUTCOMES.map((outcome) => [{ outcome }, figures.outcomes[outcome] ?? 0]),
    ),
    family('completed_within', 'gauge', 'Jobs completed within the last minute, hour and day.', [
      [{ window: 'minute' }, minute],
      [{ window: 'hour' }, hour],
      [{ window: 'day' }, day],
    ]),
    summary('run_seconds', 'How long attempts ran.', figures.runMs),
    summary('wait_seconds', 'How long attempts waited from when they could have started.', figures.waitMs),
  ].join('\n');
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `queuectl_${name}${labelled(labels)} ${value}`);
  return [...heading(name, type, help), ...lines].join('\n');
}

const heading = (name: string, type: string, help: string): string[] => [
  `# HELP queuectl_${name} ${help}`,
  `# TYPE queuectl_${name} ${type}`,
];

/** Without any values the quantiles are NaN, as the format has it. */
function summary(name: string, help: string, spread: Spread | null): string {
  const seconds = (ms: number | undefined): string => (ms === undefined ? 'NaN' : String(ms / 1000));
  const count = spread?.count ?? 0;
  return [
    ...heading(name, 'summary', help),
    `queuectl_${name}{quantile="0.5"} ${seconds(spread?.p50)}`,
    `queuectl_${name}{quantile="0.95"} ${seconds(spread?.p95)}`,
    `queuectl_${name}{quantile="0.99"} ${seconds(spread?.p99)}`,
    `queuectl_${name}_sum ${seconds((spread?.avg ?? 0) * count)}`,
    `queuectl_${name}_count ${count}`,
  ].join('\n');
}

const labelled = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}}`;

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
