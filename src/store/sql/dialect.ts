// Differences between the SQL dialects. Files in src/store/shared use these instead of separate statements.

import type { Sql, Value } from './statement.ts';

export type ColumnType = 'text' | 'bigint';

export interface LookUp {
  readonly from: Sql;
  readonly where: Sql;
}

export interface Dialect {
  /** Returns the nth parameter of a statement, counted from 1. */
  place(n: number): string;
  /** Binds a number as an integer for calculations. */
  integer(value: number): Sql;
  /** Limits the number of rows; null for no limit. */
  limit(count: number | null): Sql;
  isAmong(column: string, type: ColumnType, values: readonly (string | number)[]): Sql;
  /** True if a column equals the value, including null. */
  isSame(column: string, value: string | null): Sql;
  /** Turns rows of values into a table with this name. */
  given(name: string, columns: Readonly<Record<string, ColumnType>>, rows: readonly (readonly Value[])[]): Sql;
  /** Case-insensitive LIKE. A backslash escapes a character of the pattern. */
  isLike(column: string, pattern: string): Sql;
  /** Returns false if the database cannot store this text, so that nothing can equal it. */
  isStorable(text: string): boolean;
  /** True if the column has one of the values that the query returns. */
  isFoundBy(column: string, query: Sql): Sql;
  /** Joins each row of `each` with the job rows `e` whose seqs the query returns for it. */
  withEach(each: Sql, query: Sql): Sql;
  /** Looks up rows of `from` one by one, by the values of this column or by the `value` column of a query. */
  lookUp(from: string, column: string, wanted: readonly string[] | Sql): LookUp;
  /** Aggregates a column into one JSON array. */
  jsonList(column: string): Sql;
  /** Follows a table name and forces the planner to use this index, if the dialect needs it. */
  useIndex(name: string): Sql;
  /** Ends a SELECT and locks its rows until the transaction ends. Skips rows locked by another transaction. */
  readonly lockingFree: Sql;
  /** Ends a SELECT and locks its rows until the transaction ends. */
  readonly locking: Sql;
  /** Prevents other transactions from changing this table until this one ends. */
  lockTable(name: string): readonly Sql[];
  /** The column that identifies a row in a table without a key. */
  readonly rowId: string;
  /** Selects queue, state and n for all queues and states with jobs. */
  readonly counts: Sql;
}
