// The part of the port that is about environments: those of the shells that jobs were enqueued from, each kept once.

import type { Variables } from '../job/environment.ts';

export interface Environments {
  /** null: the job runs with the environment of its worker. */
  ofJob(jobId: string): Promise<Variables | null>;
  /** Of `limit` environments behind `after`, removes those that no job refers to. */
  sweep(after: number, limit: number): Promise<Swept>;
}

/** What is wrong when jobs refer to environments that are not there; nothing when there are no such jobs. */
export const missingEnvironments = (jobs: number): string[] =>
  jobs === 0
    ? []
    : [`${jobs} ${jobs === 1 ? 'job refers' : 'jobs refer'} to an environment that is not there`];

/** How many such jobs there are, in both dialects. */
export const WITHOUT_ENVIRONMENT = `
  SELECT count(*) AS n FROM jobs
  WHERE environment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM environments e WHERE e.id = environment_id)`;

export interface Swept {
  readonly removed: number;
  /** Where to go on; 0 when these were the last. */
  readonly next: number;
}
