// Additive counts of what happened in a queue. Stored as JSON, so that new counts need no new column; absent means
// zero.

import type { Outcome } from '../job/job.ts';
import { addHistogram, type Histogram } from './histogram.ts';

export const JOB_COUNTS = ['enqueued', 'completed', 'dead', 'cancelled'] as const;
export type JobCount = (typeof JOB_COUNTS)[number];

export interface Tally {
  /** New and finished jobs. */
  jobs?: Partial<Record<JobCount, number>>;
  started?: number;
  attempts?: Partial<Record<Outcome, number>>;
  /** Run times of attempts with a meaningful run time. */
  run?: Histogram;
  /** CPU time of attempts, as far as known. */
  cpuMs?: number;
  /** Delay between the time an attempt was ready and its start. */
  wait?: Histogram;
  /** Scheduled runs that created no job. */
  skippedTicks?: number;
  /** Time the store took for turns of workers, counted once per turn. */
  turn?: Histogram;
}

export function addTally(to: Tally, from: Tally): void {
  if (from.jobs) to.jobs = sumOf(to.jobs, from.jobs);
  if (from.started) to.started = (to.started ?? 0) + from.started;
  if (from.attempts) to.attempts = sumOf(to.attempts, from.attempts);
  if (from.run) to.run = addHistogram(to.run, from.run);
  if (from.cpuMs) to.cpuMs = (to.cpuMs ?? 0) + from.cpuMs;
  if (from.wait) to.wait = addHistogram(to.wait, from.wait);
  if (from.skippedTicks) to.skippedTicks = (to.skippedTicks ?? 0) + from.skippedTicks;
  if (from.turn) to.turn = addHistogram(to.turn, from.turn);
}

export function sumOfTallies(tallies: Iterable<Tally>): Tally {
  const sum: Tally = {};
  for (const tally of tallies) addTally(sum, tally);
  return sum;
}

type Counts<Name extends string> = Partial<Record<Name, number>>;

function sumOf<Name extends string>(a: Counts<Name> = {}, b: Counts<Name>): Counts<Name> {
  const sum = { ...a };
  for (const name of Object.keys(b) as Name[]) sum[name] = (sum[name] ?? 0) + (b[name] ?? 0);
  return sum;
}
