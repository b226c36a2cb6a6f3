// Environments of the shells that jobs were enqueued from, each kept once.

import type { Variables } from '../../job/environment/environment.ts';

export interface Environments {
  /** null: the job runs with the environment of its worker. */
  ofJob(jobId: string): Promise<Variables | null>;
  /** Looks at `limit` environments behind `after`, and removes those that no job refers to. */
  sweep(after: number, limit: number): Promise<Swept>;
}

export interface Swept {
  readonly removed: number;
  /** Where to go on; 0 when these were the last. */
  readonly next: number;
}
