// Metrics for people: totals in words, times in a table.

import { OUTCOMES, STATES } from '../../job/job.ts';
import { type Metrics, totalJobs } from '../../report/metrics/metrics.ts';
import type { Series, Times } from '../../report/metrics/series.ts';
import { countWorkers } from '../../report/workers.ts';
import type { Spread } from '../../store/store.ts';
import type { Terminal } from '../terminal.ts';
import { bytes, count, duration, fromNow, many } from './kit/human.ts';
import { completedIn, sparkline } from './series.ts';
import { type Column, table } from './kit/table.ts';
import { labelled } from './kit/text.ts';

type Screen = Pick<Terminal, 'style' | 'width'>;

const LABEL_WIDTH = 14;

export function metricsText(metrics: Metrics, screen: Screen): string {
  const { totals, figures } = metrics;
  const rows: [string, string[]][] = [
    [
      'jobs',
      [
        count(totalJobs(totals)),
        ...STATES.filter((s) => totals[s] > 0).map((s) => `${count(totals[s])} ${s}`),
      ],
    ],
    ['attempts', attempts(metrics)],
    ['success rate', [metrics.successRate === null ? 'none yet' : percent(metrics.successRate)]],
    ['throughput', throughput(metrics)],
    ...lately('last hour', metrics.lastHour, screen),
    ...lately('last day', metrics.lastDay, screen),
    ...cpuRow(metrics),
    ['workers', workers(metrics)],
    ...flowRow(metrics),
  ];
  const words = rows.map(([label, items]) => labelled(label, LABEL_WIDTH, items, screen.width));
  const times =
    figures.runMs || figures.waitMs || metrics.lastDay.sum.wait ? ['', timeTable(metrics, screen)] : [];
  return [...words, ...times].join('\n');
}

/** One digit behind the point, but never rounded up to a perfect score. */
const percent = (share: number): string =>
  `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)} %`;

function attempts({ figures }: Metrics): string[] {
  const { outcomes, averageAttempts } = figures;
  const ended = OUTCOMES.filter((outcome) => outcomes[outcome]).map((outcome) => {
    return `${count(outcomes[outcome] ?? 0)} ${outcome.replaceAll('_', ' ')}`;
  });
  const average =
    averageAttempts === null ? [] : [`${averageAttempts.toFixed(2)} per finished job on average`];
  return [count(figures.attempts), ...ended, ...average];
}

function throughput({ completedWithin: { minute, hour, day } }: Metrics): string[] {
  return [
    `${count(minute)} completed in the last minute`,
    `${count(hour)} in the last hour`,
    `${count(day)} in the last day`,
  ];
}

/** Only if anything happened; the bars are for terminals. */
function lately(label: string, series: Series, { style, width }: Screen): [string, string[]][] {
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

/** Only where anything is known of it. */
function cpuRow({ ever, lastDay, lastHour }: Metrics): [string, string[]][] {
  const [all, day, hour] = [ever, lastDay.sum, lastHour.sum].map(({ cpuSeconds }) => cpuSeconds * 1000);
  if (!all) return [];
  const lately = [`${duration(hour ?? 0)} in the last hour`, `${duration(day ?? 0)} in the last day`];
  return [['CPU time', [`${duration(all)} in total`, ...lately]]];
}

function workers(metrics: Metrics): string[] {
  const { active, busy, lost } = countWorkers(metrics.workers);
  if (active + lost === 0) return ['none'];
  return [`${count(active)} (${count(busy)} busy)`, ...(lost > 0 ? [`${many(lost, 'worker')} lost`] : [])];
}

/** Only where there is anything of it. */
function flowRow({ waits, limits, now }: Metrics): [string, string[]][] {
  const items = [
    ...(waits.held > 0 ? [`${count(waits.held)} held`] : []),
    ...(waits.atGate > 0 ? [`${count(waits.atGate)} waiting for a free slot of their key or group`] : []),
    ...(waits.groups > 0 ? [many(waits.groups, 'group')] : []),
    ...(waits.schedules > 0 ? [many(waits.schedules, 'schedule')] : []),
    ...(waits.nextTickAt === null ? [] : [`next ${fromNow(waits.nextTickAt, now)}`]),
    ...(limits.length > 0 ? [`limits of ${limits.map(({ queue }) => queue).join(', ')}`] : []),
  ];
  return items.length === 0 ? [] : [['flow', items]];
}

const FIGURES = ['avg', 'min', 'p50', 'p95', 'p99', 'max'] as const;
/** On a narrow terminal these go first, the highest number before the others. */
const SPARE: Readonly<Partial<Record<(typeof FIGURES)[number], number>>> = { min: 3, p99: 2, avg: 1 };

/** The smallest and the largest are not kept. */
const recentRow = (label: string, times: Times | null): string[][] =>
  times === null
    ? []
    : [
        [
          label,
          ...[times.avg, null, times.p50, times.p95, times.p99, null].map((ms) =>
            ms === null ? '' : duration(ms),
          ),
        ],
      ];

function timeTable({ figures, lastHour, lastDay }: Metrics, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: ''.padEnd(LABEL_WIDTH - 2) },
    ...FIGURES.map((title): Column => {
      const spare = SPARE[title];
      return { title, align: 'right', ...(spare !== undefined && { spare }) };
    }),
  ];
  const row = (label: string, spread: Spread | null, shown = duration): string[][] =>
    spread === null ? [] : [[label, ...FIGURES.map((figure) => shown(spread[figure]))]];
  const recently = (of: 'run' | 'wait'): string[][] => [
    ...recentRow('  last hour', lastHour.sum[of]),
    ...recentRow('  last day', lastDay.sum[of]),
  ];
  /** The jobs of the recent rows may have been removed: then the first row has only its label. */
  const times = (label: string, spread: Spread | null, of: 'run' | 'wait'): string[][] => {
    const recent = recently(of);
    return [...(spread === null && recent.length > 0 ? [[label]] : row(label, spread)), ...recent];
  };
  const rows = [
    ...times('run time', figures.runMs, 'run'),
    ...times('waiting time', figures.waitMs, 'wait'),
    ...row('CPU time', figures.cpuMs),
    ...row('peak memory', figures.peakMemoryBytes, bytes),
  ];
  return table(columns, rows, width, style);
}
