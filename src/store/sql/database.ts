// The connection to a database as the shared nouns use it. SQLite runs the statements of a transaction without a pause, so that
// nothing else comes between them; PostgreSQL waits for each answer. So a transaction is written as steps: a generator that yields
// statements and receives their results. Each store runs the steps in its own way.

import type { Row } from '../rows/rows.ts';
import type { Dialect } from './dialect.ts';
import type { Sql } from './statement.ts';

export interface Result {
  readonly rows: Row[];
  /** The number of rows that the statement inserted, changed or deleted. */
  readonly count: number;
}

/** Statements that do not depend on each other's results; they travel together. */
type Statements = readonly Sql[];

/** The question whether the transaction was committed, for when the answer to its commit is lost: any row means yes. */
export interface Proof {
  readonly provenBy: Sql;
}

/** Work in the store's own language, which is given its connection. */
export type Native = (connection: never) => unknown;

export type Step = Statements | Proof | Native;
export type Steps<T> = Generator<Step, T, unknown>;

export type Chore = 'fold tallies';

export interface ReadOptions {
  /** The work grows with the queue. */
  readonly isLong?: boolean;
}

export interface WriteOptions extends ReadOptions {
  /** Doing it twice is the same as doing it once. Without this, a step must yield a proof. */
  readonly isRepeatable?: boolean;
  /** Idle workers look for work after the commit. */
  readonly wakes?: boolean;
}

export interface Database {
  readonly dialect: Dialect;
  /** The clock by which jobs become due, as SQL. */
  now(): Sql;
  /** The rows of one statement that only reads. */
  rows(statement: Sql, options?: ReadOptions): Promise<Row[]>;
  /** Runs the steps on one consistent snapshot. */
  read<T>(steps: () => Steps<T>, options?: ReadOptions): Promise<T>;
  /** Runs the steps in one transaction: done when the promise resolves, undone if it rejects. */
  write<T>(steps: () => Steps<T>, options: WriteOptions): Promise<T>;
  /** A repeatable write that one process does at a time. Returns null if another one does it, or if this role may only read. */
  writeExclusively<T>(chore: Chore, steps: () => Steps<T>): Promise<T | null>;
}

export function* run(statement: Sql): Steps<Result> {
  const [result] = (yield [statement]) as [Result];
  return result;
}

export function* rowsOf(statement: Sql): Steps<Row[]> {
  return (yield* run(statement)).rows;
}

/** Sends the statements together; their results are in the same order. */
export function* runAll(statements: Statements): Steps<Result[]> {
  return (yield statements) as Result[];
}

export function* provenBy(statement: Sql): Steps<void> {
  yield { provenBy: statement };
}

export function* native<T>(work: (connection: never) => T): Steps<Awaited<T>> {
  return (yield work) as Awaited<T>;
}

/** One statement that changes rows, in a transaction of its own; how many it changed. */
export const change = (
  database: Database,
  statement: Sql,
  options: WriteOptions = REPEATABLE,
): Promise<number> =>
  database.write(function* () {
    return (yield* run(statement)).count;
  }, options);

export const REPEATABLE: WriteOptions = { isRepeatable: true };
