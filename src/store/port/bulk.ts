// Many jobs changed by a person, a bounded number in a transaction, so that nobody is locked out.

import type { Change } from '../../job/change.ts';
import type { JobFilter } from './list.ts';

export interface BulkChanges {
  /** Of these jobs, those that match and are in a state in which it can be done; the others are left as they are. */
  changeSome(ids: readonly string[], filter: JobFilter, change: Change): Promise<ChangedSome>;
}

export interface ChangedSome {
  readonly jobs: number;
  /** Of those that were cancelled, the ones that run: their workers have been asked to end them. */
  readonly ending: readonly string[];
  /** The log files of what was removed, which are the caller's to remove. */
  readonly logPaths: readonly string[];
}
