// Runs the steps of shared code synchronously, one after the other.

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

/** Runs steps within the caller's transaction. */
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

/** `count` is correct even if a statement changes rows without returning them. */
function resultOf(connection: Connection, statement: Sql): Result {
  const prepared = connection.sql(render(statement, DIALECT.place));
  const values = statement.values as Bound[];
  if (prepared.columns().length > 0) {
    const rows = prepared.all(...values) as Row[];
    return { rows, count: rows.length };
  }
  return { rows: [], count: Number(prepared.run(...values).changes) };
}

/** Runs one statement within the caller's transaction. */
export const rowsWith = (connection: Connection, statement: Sql): Row[] => resultOf(connection, statement).rows;

/** Returns the jobs in the order of the IDs. */
export const getAll = (connection: Connection, ids: readonly string[]): Job[] =>
  runSteps(connection, jobsWith(DIALECT, ids));

/** Folds tallies, including those of this transaction. */
export const foldTallies = (connection: Connection): number => runSteps(connection, foldSome(DIALECT));
