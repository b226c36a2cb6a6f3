// Formats metrics as Prometheus text, version 0.0.4.

import { countOf, countUpTo, type Histogram } from '../../series/histogram.ts';

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

/** Names begin with the program name, counters end in _total, and units are seconds and bytes. */
export interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  /** One sentence; docs/reference/metrics.md has the same. */
  readonly help: string;
  readonly lines: readonly string[];
}

export const PREFIX = 'queuectl_';

export const gauge = (name: string, help: string, samples: readonly Sample[]): Family =>
  family(name, 'gauge', help, samples);

export const counter = (name: string, help: string, samples: readonly Sample[]): Family =>
  family(name, 'counter', help, samples);

function family(name: string, type: Family['type'], help: string, samples: readonly Sample[]): Family {
  return { name, type, help, lines: samples.map(([labels, value]) => line(name, labels, value)) };
}

/** Upper bounds in seconds, each of which is a bound of the stored histograms. Few, because each is a series per queue. */
export const BUCKETS_SECONDS: readonly number[] = [
  0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600, 21_600, 86_400,
]; // biome-ignore format: a list of numbers

export function histogram(
  name: string,
  help: string,
  samples: readonly (readonly [Labels, Histogram])[],
  bounds: readonly number[] = BUCKETS_SECONDS,
): Family {
  const lines = samples.flatMap(([labels, values]) => [
    ...bounds.map((bound) => line(`${name}_bucket`, { ...labels, le: String(bound) }, countUpTo(values, bound * 1000))),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, countOf(values)),
    line(`${name}_sum`, labels, values.sum / 1000),
    line(`${name}_count`, labels, countOf(values)),
  ]);
  return { name, type: 'histogram', help, lines };
}

/** Ends with a line feed, as the format requires. */
export const exposition = (families: readonly Family[]): string =>
  families.map(({ name, type, help, lines }) => [
      `# HELP ${PREFIX}${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${PREFIX}${name} ${type}`,
      ...lines,
      '',
    ].join('\n'),
  ).join(''); // biome-ignore format: one step per line

const line = (name: string, labels: Labels, value: number): string =>
  `${PREFIX}${name}${labelled(labels)} ${numberText(value)}`;

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** A lone surrogate would not be valid UTF-8. */
const escaped = (value: string): string =>
  value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
