// Database access for the shared code. A transaction is written as a generator that yields statements and receives
// their results. SQLite runs the statements synchronously, so that nothing else comes between them; PostgreSQL awaits
// each result.

import type { Row } from '../rows/rows.ts';
import type { Dialect } from './dialect.ts';
import type { Sql } from './statement.ts';

export interface Result {
  readonly rows: Row[];
  /** Number of rows that the statement inserted, changed or deleted. */
  readonly count: number;
}

/** Independent statements, which are sent together. */
type Statements = readonly Sql[];

/** A query that returns a row if the transaction was committed, for when the response to the commit is lost. */
export interface Proof {
  readonly provenBy: Sql;
}

/** Code of one store that uses its connection directly. */
export type Native = (connection: never) => unknown;

export type Step = Statements | Proof | Native;
export type Steps<T> = Generator<Step, T, unknown>;

export type Chore = 'fold tallies';

export interface ReadOptions {
  /** True if the work grows with the size of the queue. */
  readonly isLong?: boolean;
}

export interface WriteOptions extends ReadOptions {
  /** True if repeating the transaction is harmless. Otherwise a step must yield a proof. */
  readonly isRepeatable?: boolean;
  /** Wakes idle workers after the commit. */
  readonly wakes?: boolean;
}

export interface Database {
  readonly dialect: Dialect;
  /** The clock that decides when jobs are due, as SQL. */
  now(): Sql;
  /** Runs one statement that only reads. */
  rows(statement: Sql, options?: ReadOptions): Promise<Row[]>;
  /** Runs the steps on one consistent snapshot. */
  read<T>(steps: () => Steps<T>, options?: ReadOptions): Promise<T>;
  /** Runs the steps in one transaction, which is committed when the promise resolves and rolled back if it rejects. */
  write<T>(steps: () => Steps<T>, options: WriteOptions): Promise<T>;
  /**
   * Runs a repeatable write that only one process does at a time. Returns null if another process does it, or if the
   * database role is read-only.
   */
  writeExclusively<T>(chore: Chore, steps: () => Steps<T>): Promise<T | null>;
}

export function* run(statement: Sql): Steps<Result> {
  const [result] = (yield [statement]) as [Result];
  return result;
}

export function* rowsOf(statement: Sql): Steps<Row[]> {
  return (yield* run(statement)).rows;
}

/** Sends the statements together and returns their results in the same order. */
export function* runAll(statements: Statements): Steps<Result[]> {
  return (yield statements) as Result[];
}

export function* provenBy(statement: Sql): Steps<void> {
  yield { provenBy: statement };
}

export function* native<T>(work: (connection: never) => T): Steps<Awaited<T>> {
  return (yield work) as Awaited<T>;
}

/** Runs one statement in its own transaction. Returns the number of changed rows. */
export const change = (database: Database, statement: Sql, options: WriteOptions = REPEATABLE): Promise<number> =>
  database.write(function* () {
    return (yield* run(statement)).count;
  }, options);

export const REPEATABLE: WriteOptions = { isRepeatable: true };
