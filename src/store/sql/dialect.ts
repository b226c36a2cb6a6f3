// The differences between the SQL dialects, by name. Files in src/store/shared use these instead of two texts; a further store
// brings its own dialect.

import type { Sql, Value } from './statement.ts';

export type ColumnType = 'text' | 'bigint';

export interface LookUp {
  readonly from: Sql;
  readonly where: Sql;
}

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
  /** Whether a column contains text like this pattern, whatever its case; a backslash escapes a character. */
  isLike(column: string, pattern: string): Sql;
  /** Whether any text in the database can equal this one. */
  isStorable(text: string): boolean;
  /** Whether a column has one of the values that a query finds. */
  isFoundBy(column: string, query: Sql): Sql;
  /** The rows of `each`, each with the rows `e` that the query finds for it: the places (seq) of jobs. */
  withEach(each: Sql, query: Sql): Sql;
  /** Rows of `from`, looked up one by one by this column: for values, or for those that a query finds as `value`. */
  lookUp(from: string, column: string, wanted: readonly string[] | Sql): LookUp;
  /** The values of a column in all rows, as one JSON text. */
  jsonList(column: string): Sql;
  /** Follows a table name and makes the planner use this index, if the dialect needs that. */
  useIndex(name: string): Sql;
  /** Ends a SELECT and locks its rows until the transaction ends; rows that another transaction has locked are left out. */
  readonly lockingFree: Sql;
  /** Ends a SELECT and locks its rows until the transaction ends. */
  readonly locking: Sql;
  /** Keeps every other transaction from changing this table until this one ends. */
  lockTable(name: string): readonly Sql[];
  /** The column that identifies a row of a table without a key. */
  readonly rowId: string;
  /** Jobs by queue and state, where any exist: queue, state, n. */
  readonly counts: Sql;
}
