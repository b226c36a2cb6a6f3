// Environments of the shells that jobs were enqueued from. Each distinct environment is stored once.

import type { Variables } from '../../job/environment/environment.ts';

export interface Environments {
  /** Returns null if the job runs with the environment of its worker. */
  ofJob(jobId: string): Promise<Variables | null>;
  /** Checks `limit` environments after the ID `after`, and deletes those that no job uses. */
  sweep(after: number, limit: number): Promise<Swept>;
}

export interface Swept {
  readonly removed: number;
  /** Start of the next call; 0 after the last environment. */
  readonly next: number;
}
