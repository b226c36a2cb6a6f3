// What happened in a queue, in numbers that can be added up. It is stored as JSON, so that counting something new needs no
// new column; what is absent is zero.

import type { Outcome } from '../job/job.ts';
import { addHistogram, type Histogram } from './histogram.ts';

export const JOB_COUNTS = ['enqueued', 'completed', 'dead', 'cancelled'] as const;
export type JobCount = (typeof JOB_COUNTS)[number];

export interface Tally {
  /** Jobs that came in or came to an end. */
  jobs?: Partial<Record<JobCount, number>>;
  /** Attempts that began. */
  started?: number;
  /** Attempts that ended, by their outcome. */
  attempts?: Partial<Record<Outcome, number>>;
  /** How long attempts ran, of those whose run time says anything. */
  run?: Histogram;
  /** Time that attempts spent on CPUs, as far as it is known. */
  cpuMs?: number;
  /** How long attempts waited from when they could have started. */
  wait?: Histogram;
  /** Ticks of schedules that made no job. */
  skippedTicks?: number;
  /** How long turns of workers took the store. Counted once a turn, whatever the queues in it. */
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
