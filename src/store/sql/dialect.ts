// The differences between the SQL dialects, by name. Files in src/store/shared use these instead of two texts; a further store
// brings its own dialect.

import type { Sql, Value } from './statement.ts';

export type ColumnType = 'text' | 'bigint';

export interface Dialect {
  /** The nth parameter of a statement, counted from 1. */
  place(n: number): string;
  /** A number that is calculated with as a whole number. */
  integer(value: number): Sql;
  /** At most this many rows; null: all of them. */
  limit(count: number | null): Sql;
  isAmong(column: string, type: ColumnType, values: readonly (string | number)[]): Sql;
  /** Whether a column equals the value, which may be null. */
  isSame(column: string, value: string | null): Sql;
  /** Rows of values as a table of this name. */
  given(
    name: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows: readonly (readonly Value[])[],
  ): Sql;
  /** Follows a table name and makes the planner use this index, if the dialect needs that. */
  useIndex(name: string): Sql;
  /** Ends a SELECT and locks its rows until the transaction ends; rows that another transaction has locked are left out. */
  readonly lockingFree: Sql;
  /** Jobs by queue and state, where any exist: queue, state, n. */
  readonly counts: Sql;
}
