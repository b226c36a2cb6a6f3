// Queries about jobs that are not running: their place in line, and what they wait for.

import type { ClaimWish } from './turn.ts';

/** Maximum of counts. This value means "this many or more". */
export const COUNT_AT_MOST = 10_000;

export interface Waits {
  /** Returns null if there is no such job. */
  ofJob(id: string): Promise<StoredWait | null>;
  /** Counts all queues or the given one, up to `atMost` or COUNT_AT_MOST. */
  counts(queue?: string, atMost?: number): Promise<WaitCounts>;
  /**
   * Returns what has waited for long: jobs held since before this time, and outcomes that no dependent has received
   * yet.
   */
  lingering(heldBefore: number): Promise<Lingering>;
  /**
   * Checks a bounded number of the keys and groups that jobs wait for, starting after `after`. If a slot is free and no
   * job is ready to take it, a turn will check the key or group again. This repairs missed wake-ups of any cause.
   */
  recheck(after: string): Promise<Rechecked>;
  /**
   * Makes a bounded number of jobs that were too large for a worker ready again, starting after `after`, because
   * settings may have changed.
   */
  recheckSizes(after: number): Promise<RecheckedSizes>;
  /**
   * Returns the IDs of the jobs that are first to be claimed wherever jobs wait and whose start time is before this
   * time: in each queue, at keys and groups with a free slot, and under each size.
   */
  heads(dueBefore: number): Promise<string[]>;
  /** Returns the IDs of the jobs that a worker would claim now, using the same decision as a claim. Writes nothing. */
  wouldClaim(wish: ClaimWish): Promise<string[]>;
}

export interface RecheckedSizes {
  readonly found: number;
  /** Start of the next call; 0 to begin again. */
  readonly next: number;
}

export interface Rechecked {
  /** Number of keys and groups whose free slot no turn would have filled. */
  readonly found: number;
  /** Start of the next call; null to begin again. */
  readonly next: string | null;
}

export interface StoredWait {
  /** The gate at which the job waits; null if it waits at none. */
  readonly gate: Gate | null;
  /** Place among the ready jobs of its queue; null if the job is not ready. */
  readonly line: Line | null;
  /** True if a claim would consider the job: it is ready, or waits under its size. */
  readonly isClaimable: boolean;
}

export interface Gate {
  /** `key:NAME` or `group:NAME`. */
  readonly name: string;
  readonly running: number;
  /** The strictest limit among the running jobs; Infinity for a group, or if none is running. */
  readonly strictest: number;
  /** ID of the job in the same queue that gets the next free slot. */
  readonly next: string | null;
  /** The job that has run longest. */
  readonly holder: { readonly id: string; readonly since: number } | null;
}

/** Counts stop at COUNT_AT_MOST. */
export interface Line {
  readonly ahead: number;
  readonly ready: number;
  /** Number of jobs of the queue that finished within the last minute; null if there were too many to count. */
  readonly endedLastMinute: number | null;
}

/** Counts stop where the caller says. */
export interface WaitCounts {
  readonly held: number;
  readonly atGate: number;
  /** Across all queues. */
  readonly groups: number;
  readonly schedules: number;
  /** When the next run of a schedule is due. */
  readonly nextTickAt: number | null;
}

export interface Lingering {
  /** Stops at COUNT_AT_MOST. */
  readonly held: number;
  /** When the first job finished whose dependents have not received its outcome; null if there is none. */
  readonly untoldSince: number | null;
}
