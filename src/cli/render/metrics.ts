// Metrics for people: totals in words, times in a table.

import { OUTCOMES, STATES } from '../../job/job.ts';
import { type Metrics, totalJobs } from '../../report/metrics.ts';
import { countWorkers } from '../../report/workers.ts';
import type { Spread } from '../../store/store.ts';
import type { Terminal } from '../terminal.ts';
import { count, duration, many } from './human.ts';
import { type Column, table } from './table.ts';
import { labelled } from './text.ts';

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
    ['workers', workers(metrics)],
  ];
  const words = rows.map(([label, items]) => labelled(label, LABEL_WIDTH, items, screen.width));
  const times = figures.runMs || figures.waitMs ? ['', timeTable(metrics, screen)] : [];
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
  const average = averageAttempts === null ? [] : [`on average ${averageAttempts.toFixed(2)} a finished job`];
  return [count(figures.attempts), ...ended, ...average];
}

function throughput({ figures }: Metrics): string[] {
  const { minute, hour, day } = figures.completedWithin;
  return [
    `${count(minute)} completed in the last minute`,
    `${count(hour)} in the last hour`,
    `${count(day)} in the last day`,
  ];
}

function workers(metrics: Metrics): string[] {
  const { active, busy, lost } = countWorkers(metrics.workers);
  if (active + lost === 0) return ['none'];
  return [`${count(active)} (${count(busy)} busy)`, ...(lost > 0 ? [`${many(lost, 'worker')} lost`] : [])];
}

const FIGURES = ['avg', 'min', 'p50', 'p95', 'p99', 'max'] as const;

function timeTable({ figures }: Metrics, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: ''.padEnd(LABEL_WIDTH - 2) },
    ...FIGURES.map((title): Column => ({ title, align: 'right' })),
  ];
  const row = (label: string, spread: Spread | null): string[][] =>
    spread === null ? [] : [[label, ...FIGURES.map((figure) => duration(spread[figure]))]];
  return table(
    columns,
    [...row('run time', figures.runMs), ...row('waiting time', figures.waitMs)],
    width,
    style,
  );
}
