// Metrics as text: totals in words, times in a table.

import { OUTCOMES, STATES } from '../../job/job.ts';
import type { MetricsJson } from '../../report/metrics/metrics.ts';
import type { SeriesJson, Times } from '../../report/metrics/series.ts';
import type { Spread } from '../../store/store.ts';
import type { Screen } from '../terminal.ts';
import { bytes, count, duration, fromNow, many } from './kit/human.ts';
import { completedIn, sparkline } from './series.ts';
import { type Column, table } from './kit/table.ts';
import { labelled } from './kit/text.ts';

const LABEL_WIDTH = 14;

/** The metrics, with recent ones for a chart. */
interface Metrics extends MetricsJson {
  readonly now: number;
  readonly lastHour: SeriesJson;
  readonly lastDay: SeriesJson;
}

export function metricsText(metrics: Metrics, screen: Screen): string {
  const { counts } = metrics;
  const rows: [string, string[]][] = [
    [
      'jobs',
      [count(metrics.total_jobs), ...STATES.filter((s) => counts[s] > 0).map((s) => `${count(counts[s])} ${s}`)],
    ],
    ['attempts', attempts(metrics)],
    ['success rate', [metrics.success_rate === null ? 'none yet' : percent(metrics.success_rate)]],
    ['throughput', throughput(metrics)],
    ...lately('last hour', metrics.lastHour, screen),
    ...lately('last day', metrics.lastDay, screen),
    ...cpuRow(metrics),
    ['workers', workers(metrics)],
    ...flowRow(metrics),
  ];
  const words = rows.map(([label, items]) => labelled(label, LABEL_WIDTH, items, screen.width));
  const times =
    metrics.run_ms || metrics.wait_ms || metrics.lastDay.sum.wait_ms ? ['', timeTable(metrics, screen)] : [];
  return [...words, ...times].join('\n');
}

/** One decimal, never rounded up to 100 %. */
const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)} %`;

function attempts({ attempts: all, outcomes, average_attempts: each }: Metrics): string[] {
  const ended = OUTCOMES.filter((outcome) => outcomes[outcome]).map((outcome) => {
    return `${count(outcomes[outcome] ?? 0)} ${outcome.replaceAll('_', ' ')}`;
  });
  const average = each === null ? [] : [`${each.toFixed(2)} per finished job on average`];
  return [count(all), ...ended, ...average];
}

function throughput({ completed_within: { minute, hour, day } }: Metrics): string[] {
  return [
    `${count(minute)} completed in the last minute`,
    `${count(hour)} in the last hour`,
    `${count(day)} in the last day`,
  ];
}

/** Empty if nothing happened. The bars are shown only on terminals. */
function lately(label: string, series: SeriesJson, { style, width }: Screen): [string, string[]][] {
  const { enqueued, completed, failed, dead } = series.sum;
  if (enqueued + completed + failed + dead === 0) return [];
  const items = [
    ...(width === null ? [] : [style.accent(sparkline(completedIn(series)))]),
    `${count(enqueued)} enqueued`,
    `${count(completed)} completed`,
    ...(failed > 0 ? [`${many(failed, 'attempt')} failed`] : []),
    ...(dead > 0 ? [`${count(dead)} dead`] : []),
  ];
  return [[label, items]];
}

/** Empty if the CPU time is unknown. */
function cpuRow({ ever, lastDay, lastHour }: Metrics): [string, string[]][] {
  const [all, day, hour] = [ever, lastDay.sum, lastHour.sum].map((sum) => sum.cpu_seconds * 1000);
  if (!all) return [];
  const lately = [`${duration(hour ?? 0)} in the last hour`, `${duration(day ?? 0)} in the last day`];
  return [['CPU time', [`${duration(all)} in total`, ...lately]]];
}

function workers({ workers: { active, busy, lost } }: Metrics): string[] {
  if (active + lost === 0) return ['none'];
  return [`${count(active)} (${count(busy)} busy)`, ...(lost > 0 ? [`${many(lost, 'worker')} lost`] : [])];
}

/** Empty if all counts are zero. */
function flowRow(metrics: Metrics): [string, string[]][] {
  const { held, limited, groups, schedules, next_schedule_at: next, queue_limits: limits } = metrics;
  const items = [
    ...(held > 0 ? [`${count(held)} held`] : []),
    ...(limited > 0 ? [`${count(limited)} waiting for a free slot of their key or group`] : []),
    ...(groups > 0 ? [many(groups, 'group')] : []),
    ...(schedules > 0 ? [many(schedules, 'schedule')] : []),
    ...(next === null ? [] : [`next ${fromNow(Date.parse(next), metrics.now)}`]),
    ...(limits.length > 0 ? [`limits of ${limits.map(({ queue }) => queue).join(', ')}`] : []),
  ];
  return items.length === 0 ? [] : [['flow', items]];
}

const FIGURES = ['avg', 'min', 'p50', 'p95', 'p99', 'max'] as const;
/** Columns that are left out on narrow terminals, the highest number first. */
const SPARE: Readonly<Partial<Record<(typeof FIGURES)[number], number>>> = { min: 3, p99: 2, avg: 1 };

/** Minimum and maximum are not stored over time. */
const recentRow = (label: string, times: Times | null): string[][] =>
  times === null
    ? []
    : [
        [
          label,
          ...[times.avg, null, times.p50, times.p95, times.p99, null].map((ms) => (ms === null ? '' : duration(ms))),
        ],
      ];

function timeTable({ lastHour, lastDay, ...figures }: Metrics, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: ''.padEnd(LABEL_WIDTH - 2) },
    ...FIGURES.map((title): Column => {
      const spare = SPARE[title];
      return { title, align: 'right', ...(spare !== undefined && { spare }) };
    }),
  ];
  const row = (label: string, spread: Spread | null, shown = duration): string[][] =>
    spread === null ? [] : [[label, ...FIGURES.map((figure) => shown(spread[figure]))]];
  const recently = (of: 'run_ms' | 'wait_ms'): string[][] => [
    ...recentRow('  last hour', lastHour.sum[of]),
    ...recentRow('  last day', lastDay.sum[of]),
  ];
  /** If the jobs of the recent rows were deleted, the first row has only a label. */
  const times = (label: string, spread: Spread | null, of: 'run_ms' | 'wait_ms'): string[][] => {
    const recent = recently(of);
    return [...(spread === null && recent.length > 0 ? [[label]] : row(label, spread)), ...recent];
  };
  const rows = [
    ...times('run time', figures.run_ms, 'run_ms'),
    ...times('waiting time', figures.wait_ms, 'wait_ms'),
    ...row('CPU time', figures.cpu_ms),
    ...row('peak memory', figures.peak_memory_bytes, bytes),
  ];
  return table(columns, rows, width, style);
}
