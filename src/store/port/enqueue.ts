// Jobs on their way into the store.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';

export interface JobsIn {
  /**
   * All or none; a taken id is the error job_exists. The environment is that of all of them. For a unique job that was left
   * out the answer has the one that is there instead.
   */
  enqueue(jobs: readonly NewJob[], environment?: NewEnvironment | null): Promise<Job[]>;
  /** For any number of jobs, which need not fit into memory. */
  stage(environment?: NewEnvironment | null): Promise<Staging>;
}

/** Jobs on their way in, invisible until commit(). Adding to it holds no lock. */
export interface Staging {
  add(jobs: readonly NewJob[]): Promise<void>;
  /** All of them or none. Returns how many. */
  commit(): Promise<number>;
  discard(): Promise<void>;
  /** After commit(): by the id of each unique job that was left out, the id of the one that is there instead. */
  readonly instead: ReadonlyMap<string, string>;
}
