// Data for `queuectl metrics`.

import type { Outcome } from '../../job/job.ts';

export interface FigureSource {
  /** Reads every attempt, so it is too slow for frequent use. */
  figures(): Promise<Figures>;
}

export interface Figures {
  readonly attempts: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly averageAttempts: number | null;
  readonly runMs: Spread | null;
  readonly waitMs: Spread | null;
  /** CPU time and peak memory of the attempts for which they are known. */
  readonly cpuMs: Spread | null;
  readonly peakMemoryBytes: Spread | null;
  /** Number of jobs that completed within the last minute, hour and day. */
  readonly completedWithin: { readonly minute: number; readonly hour: number; readonly day: number };
}

export interface Spread {
  readonly count: number;
  readonly avg: number;
  readonly min: number;
  readonly max: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}
