// Imported jobs, shared by both stores.

import type { ColumnInfo } from '../port/import.ts';
import { COPIED_WITH_JOBS, TABLES_OF_QUEUE } from './rows.ts';
import type { Cells } from '../store.ts';

/** Tables whose columns an import needs to know. */
export const IMPORTED_TABLES: readonly string[] = ['jobs', 'attempts', ...COPIED_WITH_JOBS, ...TABLES_OF_QUEUE];

/** Seq of a parent that is not known yet. No job has it. */
export const UNLINKED = -1;

/** Returns the type of a column in either dialect. */
export function columnType(declared: string): ColumnInfo['type'] {
  if (/int/i.test(declared)) return 'integer';
  return /real|double|float|numeric/i.test(declared) ? 'real' : 'text';
}

/** Returns a row of another table as it is stored for an imported job. */
export const rowOfJob = (table: string, cells: Cells, seq: number): Cells => ({
  ...cells,
  job_seq: seq,
  ...(table === 'dependencies' ? { parent_seq: UNLINKED } : {}),
});
