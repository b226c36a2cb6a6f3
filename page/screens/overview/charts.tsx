// Throughput, run time and waiting time over the range in the URL.

import { Chart } from '../../components/chart/chart.tsx';
import { Problem } from '../../components/feedback.tsx';
import { Section } from '../../components/screen.tsx';
import { now } from '../../core/clock.ts';
import { count, duration } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, queryOf, setQuery } from '../../core/router.ts';
import type { Answer } from '../../core/types.ts';

type Series = Answer<'getSeries'>;
type Point = Series['points'][number];

const HOUR = 3_600_000;
const RANGES: Readonly<Record<string, number>> = {
  '1 h': HOUR,
  '24 h': 24 * HOUR,
  '7 d': 168 * HOUR,
  '30 d': 720 * HOUR,
};
const USUAL = '1 h';
/** Rounding the start keeps the request path stable, so that cached data can be used. */
const ROUND_MS = 60_000;

export function Charts() {
  const chosen = queryOf('range') in RANGES ? queryOf('range') : USUAL;
  const from = Math.floor(now.value / ROUND_MS) * ROUND_MS - (RANGES[chosen] ?? HOUR);
  const { data, error, reload } = useResource<Series>(hrefOf('/stats/series', { from: new Date(from).toISOString() }));
  return (
    <Section title="Over time" actions={<Ranges chosen={chosen} />}>
      {error && !data ? <Problem error={error} onRetry={reload} /> : <AllCharts points={data?.points ?? []} />}
    </Section>
  );
}

const Ranges = ({ chosen }: { chosen: string }) => (
  <fieldset class="segments">
    <legend class="out-of-sight">range</legend>
    {Object.keys(RANGES).map((range) => (
      <button
        key={range}
        type="button"
        aria-pressed={range === chosen}
        onClick={() => setQuery({ range: range === USUAL ? '' : range })}
      >
        {range}
      </button>
    ))}
  </fieldset>
);

const TIMES = [
  ['Run time', 'run_ms'],
  ['Waiting time', 'wait_ms'],
] as const;

function AllCharts({ points }: { points: readonly Point[] }) {
  const times = points.map(({ at }) => Date.parse(at));
  const of = (pick: (point: Point) => number | null | undefined): (number | null)[] =>
    points.map((point) => pick(point) ?? null);
  return (
    <div class="charts">
      <Chart
        title="Throughput"
        kind="bars"
        times={times}
        format={(n) => count(Math.round(n * 10) / 10)}
        series={[
          { name: 'completed', colour: '--completed', values: of((point) => point.completed) },
          { name: 'failed attempts', colour: '--failed', values: of((point) => point.failed) },
          { name: 'dead', colour: '--dead', values: of((point) => point.dead) },
        ]}
      />
      {TIMES.map(([title, name]) => (
        <Chart
          key={name}
          title={title}
          kind="lines"
          times={times}
          format={duration}
          isTime
          series={percentiles(of, name)}
        />
      ))}
    </div>
  );
}

type Picker = (pick: (point: Point) => number | null | undefined) => (number | null)[];

const percentiles = (of: Picker, what: 'run_ms' | 'wait_ms') => [
  { name: 'p50', colour: '--chart-1', values: of((point) => point[what]?.p50) },
  { name: 'p95', colour: '--chart-2', values: of((point) => point[what]?.p95) },
  { name: 'p99', colour: '--chart-3', values: of((point) => point[what]?.p99) },
];
