// Changes that users make to jobs. A method that takes IDs changes all of these jobs or none; a job in the wrong state is
// the error wrong_state. Only changeSome() skips such jobs.

import type { Change } from '../../job/change.ts';
import type { Rerun } from '../../job/flow/rerun.ts';
import type { Job, JobState } from '../../job/job.ts';
import type { WaitingChange } from '../../job/waiting-change.ts';
import type { JobFilter } from './list.ts';

export interface JobChanges {
  retry(ids: readonly string[], states: readonly JobState[]): Promise<Job[]>;
  /** Cancels waiting jobs at once. For running jobs it records the request, and their workers stop them. */
  cancel(ids: readonly string[]): Promise<Job[]>;
  /** Rejects running jobs. */
  remove(ids: readonly string[]): Promise<Removed>;
  /** Holds, releases, starts or edits waiting jobs. Releasing a job that is not held is the error not_held. */
  change(ids: readonly string[], change: WaitingChange): Promise<Job[]>;
  /** Changes the jobs that match and whose state allows it, in one transaction. Callers bound the number of IDs. */
  changeSome(ids: readonly string[], filter: JobFilter, change: Change): Promise<ChangedSome>;
  /**
   * Runs a part of a workflow again, all of it or nothing. Dependencies among these jobs, and on groups of these jobs, become
   * undecided again.
   */
  rerun(rerun: Rerun): Promise<void>;
  /** Deletes all jobs, attempts and workers. The settings stay. */
  reset(): Promise<Removed>;
}

export interface Removed {
  readonly jobs: number;
  /** Log files of the deleted jobs. The caller deletes them. */
  readonly logPaths: readonly string[];
}

export interface ChangedSome extends Removed {
  /** Cancelled jobs that are still running: their workers have been asked to stop them. */
  readonly ending: readonly string[];
}
