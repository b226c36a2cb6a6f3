// What the store knows of jobs that do not run: where one is in line, and how many wait for what.

import type { ClaimWish } from './turn.ts';

/** Counts stop here: beyond it they only say "or more". */
export const COUNT_AT_MOST = 10_000;

export interface Waits {
  /** null: there is no such job. */
  ofJob(id: string): Promise<StoredWait | null>;
  /** Of all queues, or of the one named. Numbers stop at `atMost`, or at COUNT_AT_MOST. */
  counts(queue?: string, atMost?: number): Promise<WaitCounts>;
  /** What has waited for long: jobs that have been held since before this time, and ends that were not passed on yet. */
  lingering(heldBefore: number): Promise<Lingering>;
  /**
   * Looks at a bounded number of the keys and groups that jobs wait for, after the place where the last call stopped. Where a
   * slot is free and no job is ready to take it, a turn will look again, whatever made an earlier one miss it.
   */
  recheck(after: string): Promise<Rechecked>;
  /**
   * Lets turns look again at a bounded number of jobs that were too large for a worker, after this place. Settings may have
   * changed.
   */
  recheckSizes(after: number): Promise<RecheckedSizes>;
  /**
   * The IDs of jobs that are the first to be claimed wherever jobs wait, and could have run since before this time as far as
   * their time is concerned: in the lines of queues, at keys and groups with a free slot, under each size.
   */
  heads(dueBefore: number): Promise<string[]>;
  /** The IDs of jobs that a worker would claim now, by the decision that claims jobs. Writes nothing. */
  wouldClaim(wish: ClaimWish): Promise<string[]>;
}

export interface RecheckedSizes {
  readonly found: number;
  /** Where the next call begins; 0: at the beginning. */
  readonly next: number;
}

export interface Rechecked {
  /** How many keys and groups had a free slot that no turn would have given away. */
  readonly found: number;
  /** Where the next call begins; null: at the beginning. */
  readonly next: string | null;
}

export interface StoredWait {
  /** The gate it was set aside at, and what runs behind it; null: at none. */
  readonly gate: Gate | null;
  /** Its place among the ready jobs of its queue; null: it is not ready. */
  readonly line: Line | null;
  /** Whether a claim would look at it: it is ready, or waits under its size. */
  readonly isClaimable: boolean;
}

export interface Gate {
  /** key:K or group:G. */
  readonly name: string;
  readonly running: number;
  /** The strictest limit of the jobs that run; Infinity if none runs or all have the same. */
  readonly strictest: number;
  /** The ID of the job in the same queue that gets the next free slot. */
  readonly next: string | null;
  /** The one that has run longest. */
  readonly holder: { readonly id: string; readonly since: number } | null;
}

/** Numbers stop at COUNT_AT_MOST. */
export interface Line {
  readonly ahead: number;
  readonly ready: number;
  /** How many jobs of its queue ended within the last minute; null: more than are counted. */
  readonly endedLastMinute: number | null;
}

/** Numbers stop where the caller says. */
export interface WaitCounts {
  readonly held: number;
  readonly atGate: number;
  /** Over all queues. */
  readonly groups: number;
  readonly schedules: number;
  /** When a schedule next makes a job. */
  readonly nextTickAt: number | null;
}

export interface Lingering {
  /** Stops at COUNT_AT_MOST. */
  readonly held: number;
  /** When the first job ended of which those that wait for it do not know; null: there is none. */
  readonly untoldSince: number | null;
}
