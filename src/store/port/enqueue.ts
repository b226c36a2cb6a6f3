// New jobs.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';

export interface JobsIn {
  /**
   * Stores all of the jobs or none; a taken ID is the error job_exists. All jobs get the same environment. In place of
   * a unique job that was skipped, the result contains the existing job.
   */
  enqueue(jobs: readonly NewJob[], environment?: NewEnvironment | null): Promise<Job[]>;
  /** For any number of jobs, which need not fit into memory. */
  stage(environment?: NewEnvironment | null): Promise<Staging>;
}

/** New jobs, invisible until commit(). Adding jobs holds no lock. */
export interface Staging {
  add(jobs: readonly NewJob[]): Promise<void>;
  /** Stores all of the jobs or none. Returns their number. */
  commit(): Promise<number>;
  discard(): Promise<void>;
  /** After commit(): maps the ID of each skipped unique job to the ID of the job that exists instead. */
  readonly instead: ReadonlyMap<string, string>;
}
