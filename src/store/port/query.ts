// Single jobs and their attempts, by id.

import type { Attempt, Job } from '../../job/job.ts';
import type { JobFilter } from './list.ts';

export interface JobsById {
  /** The job with this id, or the only one whose id starts with it; else job_not_found or ambiguous_id. */
  find(idOrPrefix: string): Promise<Job>;
  /** The newest job of this name; one of this group, if any is given, before all others. */
  findNamed(name: string, group: string | null): Promise<Job | null>;
  get(id: string): Promise<Job | null>;
  /** In the order of the ids; those that are gone or do not match (any more) are left out. */
  getAll(ids: readonly string[], filter: JobFilter): Promise<Job[]>;
  history(id: string): Promise<Attempt[]>;
}
