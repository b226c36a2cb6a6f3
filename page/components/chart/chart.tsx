// Charts over time as stacked bars or lines. The legend shows the values under the pointer, and a hidden table contains
// all values for screen readers.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { now } from '../../core/clock.ts';
import { dayOf, exactTime, minuteOf, shortTime } from '../../core/format.ts';
import { niceTime, niceTop, ticksOf } from './scale.ts';

interface ChartSeries {
  readonly name: string;
  /** A custom property such as --completed. */
  readonly colour: string;
  /** null if there is no value at that time. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly kind: 'bars' | 'lines';
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** The values are milliseconds. */
  readonly isTime?: boolean;
}

const [HEIGHT, LEFT, TOP] = [148, 48, 6];

export function Chart(props: ChartProps) {
  const { title, times, series } = props;
  const frame = useRef<SVGSVGElement>(null);
  const width = useWidth(frame);
  const [at, setAt] = useState<number | null>(null);
  const follow = (event: PointerEvent): void => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || times.length === 0) return;
    const index = Math.floor(((event.clientX - box.left - LEFT) / (width - LEFT)) * times.length);
    setAt(index >= 0 && index < times.length ? index : null);
  };
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h3>{title}</h3>
        <Legend {...props} at={at} />
      </figcaption>
      <svg ref={frame} height={HEIGHT} aria-hidden="true" onPointerMove={follow} onPointerLeave={() => setAt(null)}>
        <Drawing {...props} at={at} width={width} />
      </svg>
      <Axis {...props} />
      <div class="out-of-sight">
        <Values title={title} times={times} series={series} format={props.format} />
      </div>
    </figure>
  );
}

/** The chart is drawn in real pixels, so that text is not distorted. */
function useWidth(frame: { current: SVGSVGElement | null }): number {
  const [width, setWidth] = useState(400);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}

/** Totals or latest values, or the values under the pointer. */
function Legend({ series, times, format, at, kind }: ChartProps & { at: number | null }) {
  const shownOf = ({ values }: ChartSeries): number | null => {
    if (at !== null) return values[at] ?? null;
    if (kind === 'bars') return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    return values.findLast((value) => value !== null) ?? null;
  };
  return (
    <div class="chart-legend small">
      {at !== null && <span>{shortTime(times[at] ?? 0, now.value)}</span>}
      {series.map((one) => {
        const value = shownOf(one);
        return (
          <span key={one.name} class="chart-key">
            <i style={{ background: `var(${one.colour})` }} />
            {one.name} <b>{value === null ? '–' : format(value)}</b>
          </span>
        );
      })}
    </div>
  );
}

function Drawing({
  kind,
  times,
  series,
  format,
  isTime = false,
  at,
  width,
}: ChartProps & { at: number | null; width: number }) {
  const step = Math.max(0, width - LEFT) / Math.max(1, times.length);
  const totals = times.map((_, i) => series.map(({ values }) => values[i] ?? 0));
  const highest = Math.max(...totals.map((t) => (kind === 'bars' ? t.reduce((a, b) => a + b, 0) : Math.max(...t))), 0);
  const top = isTime ? niceTime(highest) : niceTop(highest);
  const y = (value: number): number => (HEIGHT - 2 * TOP) * (1 - value / top) + TOP;
  return (
    <>
      {ticksOf(top).map((tick) => (
        <g key={tick}>
          <line class="chart-line" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
          <text class="chart-label" x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {kind === 'bars' ? <Bars {...{ series, times, step, y }} /> : <Curves {...{ series, step, y }} />}
      {at !== null && <rect class="chart-at" x={LEFT + at * step} y={0} width={step} height={HEIGHT} />}
    </>
  );
}

interface Scaled {
  readonly series: readonly ChartSeries[];
  readonly step: number;
  readonly y: (value: number) => number;
}

function Bars({ series, times, step, y }: Scaled & { times: readonly number[] }) {
  const gap = step > 4 ? 1.5 : step * 0.1;
  return (
    <>
      {times.map((time, i) => {
        let below = 0;
        return series.map(({ name, colour, values }) => {
          const value = values[i] ?? 0;
          if (value === 0) return null;
          const [from, to] = [y(below), y(below + value)];
          below += value;
          const place = { x: LEFT + i * step, y: to, width: step - gap, height: Math.max(1, from - to) };
          return <rect key={`${time}-${name}`} {...place} style={{ fill: `var(${colour})` }} />;
        });
      })}
    </>
  );
}

/** A missing value interrupts the line; a single value becomes a dot. */
const Curves = ({ series, step, y }: Scaled) => (
  <>
    {series.map(({ name, colour, values }) => {
      const x = (i: number): number => LEFT + (i + 0.5) * step;
      const has = (i: number): boolean => (values[i] ?? null) !== null;
      const d = values.map((value, i) => (value === null ? '' : `${has(i - 1) ? 'L' : 'M'}${x(i)},${y(value)}`));
      return (
        <g key={name} style={{ stroke: `var(${colour})`, fill: `var(${colour})` }}>
          <path class="chart-curve" d={d.join('')} />
          {values.map((value, i) =>
            value === null || has(i - 1) || has(i + 1) ? null : <circle key={x(i)} cx={x(i)} cy={y(value)} r="1.5" />,
          )}
        </g>
      );
    })}
  </>
);

const DAY_MS = 86_400_000;

/** Labels are times for ranges up to a day, and dates for longer ranges. */
const Axis = ({ times }: ChartProps) => {
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > DAY_MS;
  const shown = [0, 0.25, 0.5, 0.75].map((share) => times[Math.floor(share * times.length)] ?? 0);
  return (
    <div class="chart-axis small muted" aria-hidden="true">
      {shown.map((time) => (
        <span key={time}>{time > 0 && (isLong ? dayOf(time) : minuteOf(time))}</span>
      ))}
      <span>now</span>
    </div>
  );
};

/** The values for screen readers, without empty rows. */
const Values = ({ title, times, series, format }: Omit<ChartProps, 'kind'>) => (
  <table>
    <caption>{title}</caption>
    <thead>
      <tr>
        <th scope="col">time</th>
        {series.map(({ name }) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {times.map(
        (time, i) =>
          series.some(({ values }) => values[i]) && (
            <tr key={time}>
              <th scope="row">{exactTime(time)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[i] == null ? '' : format(values[i])}</td>
              ))}
            </tr>
          ),
      )}
    </tbody>
  </table>
);
