// Jobs changed by a person: all of the given ids or none. A job in another state is the error wrong_state.

import type { Job, JobState } from '../../job/job.ts';

export interface JobChanges {
  retry(ids: readonly string[], states: readonly JobState[]): Promise<Job[]>;
  /** Waiting jobs are cancelled at once; for running ones the wish is recorded, and their worker ends them. */
  cancel(ids: readonly string[]): Promise<Job[]>;
  /** Refuses a running job. */
  remove(ids: readonly string[]): Promise<Removed>;
  /** Forgets every job, attempt and worker; the settings stay. */
  reset(): Promise<Removed>;
}

export interface Removed {
  readonly jobs: number;
  /** The log files of what was removed, which are the caller's to remove. */
  readonly logPaths: readonly string[];
}
