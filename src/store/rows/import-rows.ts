// What both stores say alike about imported jobs.

import type { ColumnInfo } from '../port/import.ts';
import { COPIED_WITH_JOBS, TABLES_OF_QUEUE } from './rows.ts';
import type { Cells } from '../store.ts';

/** Those whose columns an import has to know. */
export const IMPORTED_TABLES: readonly string[] = [
  'jobs',
  'attempts',
  ...COPIED_WITH_JOBS,
  ...TABLES_OF_QUEUE,
];

/** Stands on an edge in the place of its parent's seq until that is known. No job has it. */
export const UNLINKED = -1;

/** The type of a column in either dialect. */
export function columnType(declared: string): ColumnInfo['type'] {
  if (/int/i.test(declared)) return 'integer';
  return /real|double|float|numeric/i.test(declared) ? 'real' : 'text';
}

/** A row of a table that belongs to jobs, as it goes in with this job. */
export const rowOfJob = (table: string, cells: Cells, seq: number): Cells => ({
  ...cells,
  job_seq: seq,
  ...(table === 'dependencies' ? { parent_seq: UNLINKED } : {}),
});
