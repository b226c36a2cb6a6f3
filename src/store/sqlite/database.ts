// SQLite for the shared nouns: the steps of a transaction run one after the other, without a pause.

import type { Job } from '../../job/job.ts';
import { jobsWith } from '../shared/query.ts';
import { foldSome } from '../shared/series.ts';
import type { Database, Proof, Result, Step, Steps } from '../sql/database.ts';
import type { Row } from '../rows/rows.ts';
import { render, type Sql, sql } from '../sql/statement.ts';
import type { Connection } from './connection.ts';
import { DIALECT } from './dialect.ts';

type Bound = string | number | null | Uint8Array;

export const databaseOf = (connection: Connection, clock: () => number, wake: () => void): Database => ({
  dialect: DIALECT,
  now: () => sql`${clock()}`,
  rows: (statement) => connection.patiently(() => rowsWith(connection, statement)),
  read: (steps) => connection.read(() => runSteps(connection, steps())),
  write: async (steps, { wakes = false }) => {
    const result = await connection.write(() => runSteps(connection, steps()));
    if (wakes) wake();
    return result;
  },
  writeExclusively: (_, steps) => connection.write(() => runSteps(connection, steps())),
});

/** For steps within a transaction of the caller. */
export function runSteps<T>(connection: Connection, steps: Steps<T>): T {
  for (let next = steps.next(); ; ) {
    if (next.done) return next.value;
    next = steps.next(answerTo(connection, next.value));
  }
}

function answerTo(connection: Connection, step: Step): unknown {
  if (typeof step === 'function') return step(connection as never);
  return isProof(step) ? undefined : step.map((statement) => resultOf(connection, statement));
}

const isProof = (step: readonly Sql[] | Proof): step is Proof => 'provenBy' in step;

/** A statement that changes rows and returns none still counts them. */
function resultOf(connection: Connection, statement: Sql): Result {
  const prepared = connection.sql(render(statement, DIALECT.place));
  const values = statement.values as Bound[];
  if (prepared.columns().length > 0) {
    const rows = prepared.all(...values) as Row[];
    return { rows, count: rows.length };
  }
  return { rows: [], count: Number(prepared.run(...values).changes) };
}

/** For a statement within a transaction of the caller. */
export const rowsWith = (connection: Connection, statement: Sql): Row[] =>
  resultOf(connection, statement).rows;

/** The jobs with these IDs, in their order. */
export const getAll = (connection: Connection, ids: readonly string[]): Job[] =>
  runSteps(connection, jobsWith(DIALECT, ids));

/** Folds some of the tallies of this transaction and of earlier ones. */
export const foldTallies = (connection: Connection): number => runSteps(connection, foldSome(DIALECT));
