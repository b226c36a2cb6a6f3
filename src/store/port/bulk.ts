// Many jobs changed by a person, a bounded number in a transaction, so that nobody is locked out.

import type { Change } from '../../job/change.ts';
import type { JobFilter } from './list.ts';

export interface BulkChanges {
  /** Changes those of the jobs that match and are in a state that allows it; the others stay as they are. */
  changeSome(ids: readonly string[], filter: JobFilter, change: Change): Promise<ChangedSome>;
}

export interface ChangedSome {
  readonly jobs: number;
  /** Those that were cancelled and still run: their workers have been asked to end them. */
  readonly ending: readonly string[];
  /** The log files of what was removed, which are the caller's to remove. */
  readonly logPaths: readonly string[];
}
