// Columns of a new job, derived from the table of job fields. Most jobs set only the common columns and are inserted
// without the others.

import { ENTRIES } from '../../job/fields/fields.ts';
import type { Cell, Column } from '../../job/fields/field.ts';
import type { NewJob } from '../../job/job.ts';

const columnsOf = (isCommon: boolean): [string, Column][] =>
  ENTRIES.flatMap(([, { stored }]) =>
    stored !== undefined && (stored.isCommon ?? false) === isCommon ? Object.entries(stored.columns) : [],
  );

const COMMON = columnsOf(true);
const OTHERS = columnsOf(false);
const COMMON_WRITERS = COMMON.map(([, { write }]) => write);
const OTHER_WRITERS = OTHERS.map(([, { write }]) => write);

/** In the order of `newJobValues`, starting with the ID. */
export const NEW_JOB_COLUMNS: readonly string[] = COMMON.map(([name]) => name);

/** In the order of `flowValues`. */
export const FLOW_COLUMNS: readonly string[] = OTHERS.map(([name]) => name);

/** Column types in PostgreSQL; SQLite needs none. */
export const columnTypes = (): Readonly<Record<string, string>> =>
  Object.fromEntries([...COMMON, ...OTHERS].map(([name, { type }]) => [name, type]));

export const newJobValues = (job: NewJob): Cell[] => COMMON_WRITERS.map((write) => write(job));

/** Unset fields have null columns. */
export const flowValues = (job: NewJob): Cell[] => OTHER_WRITERS.map((write) => write(job));

/** True if the job sets only common columns. */
export function isPlain(job: NewJob): boolean {
  for (const write of OTHER_WRITERS) if (write(job) !== null) return false;
  return true;
}
