// Metrics over time as text: a bar chart and a table.

import type { SeriesJson, Times } from '../../report/metrics/series.ts';
import type { Screen } from '../terminal.ts';
import { count, dateTime, duration, many } from './kit/human.ts';
import { type Column, table } from './kit/table.ts';

const NONE = '▁';
const BARS = '▂▃▄▅▆▇█';

/** Returns a bar for each number. Only zero has the lowest bar. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 1);
  return values.map((n) => (n === 0 ? NONE : BARS[Math.ceil((n / most) * BARS.length) - 1])).join('');
}

export const completedIn = ({ points }: SeriesJson): number[] => points.map(({ completed }) => completed);

const right = (title: string, spare?: number): Column => ({ title, align: 'right', ...(spare && { spare }) });

const COLUMNS: readonly Column[] = [
  { title: 'from' },
  right('enqueued'),
  right('completed'),
  right('failed'),
  right('dead'),
  right('cancelled', 5),
  right('run p50', 3),
  right('run p95', 1),
  right('wait p50', 4),
  right('wait p95', 2),
];

/** The table omits points without events; the bars show them. */
export function seriesText(series: SeriesJson, screen: Screen): string {
  const rows = series.points
    .filter(
      ({ enqueued, started, dead, cancelled, completed }) => enqueued + started + dead + cancelled + completed > 0,
    )
    .map((one) => [
      dateTime(Date.parse(one.at ?? '')).slice(0, -3),
      ...[one.enqueued, one.completed, one.failed, one.dead, one.cancelled].map(count),
      ...timeCells(one.run_ms),
      ...timeCells(one.wait_ms),
    ]);
  if (rows.length === 0) return 'no data';
  return [...bars(series, screen), table(COLUMNS, rows, screen.width, screen.style)].join('\n');
}

const timeCells = (times: Times | null): string[] =>
  times === null ? ['', ''] : [duration(times.p50), duration(times.p95)];

/** Shown only on terminals that are wide enough. */
function bars(series: SeriesJson, { style, width }: Screen): string[] {
  if (width === null || series.points.length > width) return [];
  const most = Math.max(...completedIn(series));
  const scale = `completed jobs, up to ${many(most, 'job')} per ${duration(series.step_seconds * 1000)}`;
  return [style.accent(sparkline(completedIn(series))), style.dim(scale), ''];
}
