// PostgreSQL for the nouns in src/store/shared: each step of a transaction waits for the results of the previous one.

import type { Job } from '../../job/job.ts';
import type { Row } from '../rows/rows.ts';
import { jobsWith } from '../shared/query.ts';
import type { Database, Proof, Step, Steps } from '../sql/database.ts';
import { render, type Sql } from '../sql/statement.ts';
import { DIALECT } from './dialect.ts';
import { currentTime } from './rows.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { writeExclusively } from './session/exclusive.ts';
import { wakeWorkers } from './wake.ts';

/** `forLong` returns the connection for work that grows with the queue. */
export function databaseOf(connection: Connection, forLong: () => Connection): Database {
  const on = (isLong: boolean | undefined): Connection => (isLong ? forLong() : connection);
  const within = (isLong: boolean | undefined): number | undefined => (isLong ? LONG_MS : undefined);
  return {
    dialect: DIALECT,
    now: () => currentTime(connection.givenNow),
    rows: async (statement, { isLong } = {}) => {
      const ask = (asked: Pick<Session, 'sql'>) => asked.sql(render(statement, DIALECT.place), statement.values);
      if (isLong) return (await forLong().read(ask, LONG_MS)).rows;
      return (await ask({ sql: (text, values) => connection.query(text, values) })).rows;
    },
    read: (steps, { isLong } = {}) => on(isLong).read((session) => runSteps(session, steps()), within(isLong)),
    write: (steps, { isLong, isRepeatable, wakes = false }) =>
      on(isLong).write(
        async (session) => {
          const result = await runSteps(session, steps());
          if (wakes) wakeWorkers(connection, session);
          return result;
        },
        { withinMs: within(isLong), isRepeatable: isRepeatable ?? false },
      ),
    writeExclusively: (chore, steps) => writeExclusively(connection, chore, (session) => runSteps(session, steps())),
  };
}

/** For steps within a transaction of the caller. */
export async function runSteps<T>(session: Session, steps: Steps<T>): Promise<T> {
  for (let next = steps.next(); ; ) {
    if (next.done) return next.value;
    next = steps.next(await answerTo(session, next.value));
  }
}

async function answerTo(session: Session, step: Step): Promise<unknown> {
  if (typeof step === 'function') return step(session as never);
  if (isProof(step)) {
    const { provenBy } = step;
    return session.provenBy(render(provenBy, DIALECT.place), provenBy.values);
  }
  return Promise.all(step.map((one) => session.sql(render(one, DIALECT.place), one.values)));
}

const isProof = (step: readonly Sql[] | Proof): step is Proof => 'provenBy' in step;

/** For a statement within a transaction of the caller. */
export const rowsWith = async (session: Session, statement: Sql): Promise<Row[]> =>
  (await session.sql(render(statement, DIALECT.place), statement.values)).rows;

/** The jobs with these IDs, in their order. */
export const getAll = (session: Session, ids: readonly string[]): Promise<Job[]> =>
  runSteps(session, jobsWith(DIALECT, ids));
