// Single jobs and their attempts, by ID.

import type { Attempt, Job } from '../../job/job.ts';
import type { JobFilter } from './list.ts';

export interface JobsById {
  /** Returns the job with this ID, or the only job whose ID starts with it; throws job_not_found or ambiguous_id. */
  find(idOrPrefix: string): Promise<Job>;
  /** Returns the newest job with this name. Jobs of the given group take precedence. */
  findNamed(name: string, group: string | null): Promise<Job | null>;
  get(id: string): Promise<Job | null>;
  /** Returns the jobs in the order of the IDs, without those that are gone or do not match. */
  getAll(ids: readonly string[], filter: JobFilter): Promise<Job[]>;
  history(id: string): Promise<Attempt[]>;
  /** Returns the standard input of a job. Null if the job has none or is gone. */
  stdinOf(seq: number): Promise<Uint8Array | null>;
}
