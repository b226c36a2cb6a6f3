// A row of the benchmark: one measure of queuectl, next to a peer or a limit, with a target.

import type { Queue } from '../src/queue/queue.ts';
import type { Sandbox } from './measure.ts';

/** Takes one measurement, in the unit of the row. */
export type Sample = () => number | Promise<number>;

export interface Row {
  readonly measure: string;
  readonly against: string;
  readonly unit: keyof typeof UNITS;
  readonly target: Target;
  readonly ours: Sample;
  /** A number is a limit without measurement. */
  readonly peer: Sample | number;
  /** Whose acknowledged work is on disk, if the row writes. */
  readonly durable?: 'both' | 'ours';
  readonly rounds?: number;
  /** Samples of each side in a round, in turns. */
  readonly samples?: number;
  /** Percentile of a round's samples that counts. */
  readonly share?: number;
  /** Runs a round that does not count. */
  readonly warmUp?: boolean;
}

/** What a bench works with: a separate queue on one of the databases. */
export interface Kit extends Sandbox {
  /** Prefix of measures. */
  readonly prefix: string;
  /** Address of a PostgreSQL server, or null on SQLite. */
  readonly server: string | null;
  /** Opens a separate database, which is closed at the end. */
  open(name: string): Promise<Queue>;
  addressOf(name: string): string;
  say(line: string): void;
}

export interface Bench {
  readonly name: string;
  readonly summary: string;
  readonly on: 'SQLite' | 'PostgreSQL';
  readonly rows: (kit: Kit) => AsyncIterable<Row>;
  /** Runs only if it is named. */
  readonly isExtra?: boolean;
}

/** A bench that runs on either database, under the names `NAME` and `postgres-NAME`. */
export const onBoth = (name: string, summary: string, rows: Bench['rows']): Bench[] => [
  { name, summary, on: 'SQLite', rows },
  { name: `postgres-${name}`, summary: `the same on PostgreSQL: ${summary}`, on: 'PostgreSQL', rows },
];

export interface Target {
  readonly text: string;
  readonly compare: (ours: number, peer: number) => number;
  readonly reached: (compared: number) => boolean;
}

const ratio = (ours: number, peer: number): number => ours / peer;

export const atMost = (limit: number): Target => ({
  text: `≤ ${limit}`,
  compare: ratio,
  reached: (compared) => compared <= limit,
});

export const atLeast = (limit: number): Target => ({
  text: `≥ ${limit}`,
  compare: ratio,
  reached: (compared) => compared >= limit,
});

/** The difference counts, not the ratio. */
export const atMostMore = (limit: number): Target => ({
  text: `≤ ${limit} more`,
  compare: (ours, peer) => ours - peer,
  reached: (compared) => compared <= limit,
});

export const UNITS = {
  ms: (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`,
  us: (value: number) => `${value.toFixed(1)} µs`,
  '/s': (value: number) => `${count(Math.round(value))}/s`,
  MiB: (value: number) => `${Math.round(value)} MiB`,
  B: (value: number) => `${count(Math.round(value))} bytes`,
  KiB: (value: number) => `${Math.round(value)} KiB`,
  '%': (value: number) => `${value.toFixed(2)} %`,
} as const;

export const count = (n: number): string => n.toLocaleString('en-US');
