// Inserts new jobs in one transaction.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import { freshJob } from '../../job/fresh-job.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { isPlain } from '../rows/new-job-rows.ts';
import type { Row } from '../rows/rows.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { linkNew } from './dependencies.ts';
import { writeWith } from './environments.ts';
import { addGroups, limitGroups, namesOfGroups } from './groups.ts';
import {
  ALL_COLUMNS,
  firstTaken,
  INSERT_FLOW,
  checkingIds,
  plainInsert,
  WAS_ENQUEUED,
  wholeValues,
} from './insert-jobs.ts';
import { getAll } from './database.ts';
import { jobsByQueue } from '../../series/by-queue.ts';
import { arrayOf, columnsOf } from './rows.ts';
import { tallyEnqueued } from './tally.ts';
import { keepStdins } from './stdins.ts';
import { tagNew } from './tags.ts';
import { type AdmittedJobs, admitted } from './unique.ts';
import { wakeWorkers } from './wake.ts';

/** Whether storing this many jobs may take long. */
export const isLarge = (jobs: readonly NewJob[]): boolean => jobs.length > 1000;

export async function enqueue(
  connection: Connection,
  jobs: readonly NewJob[],
  environment: NewEnvironment | null,
): Promise<Job[]> {
  if (jobs.length === 0) return [];
  const ids = jobs.map(({ id }) => id);
  const work = workFor(connection, jobs);
  return checkingIds(
    () => writeWith(connection, environment, work, { withinMs: isLarge(jobs) ? LONG_MS : undefined }),
    () => firstTaken(connection, 'unnest($1::text[]) WITH ORDINALITY AS given (id, position)', [ids]),
  );
}

/** For a transaction of the caller that keeps the environment. */
export const insertJobs = (
  connection: Connection,
  session: Session,
  jobs: readonly NewJob[],
  environmentId: number | null,
): Promise<Job[]> => workFor(connection, jobs)(session, environmentId);

const workFor = (connection: Connection, jobs: readonly NewJob[]): Work<Job[]> =>
  jobs.every(isPlain) ? plainWork(connection, jobs) : flowWork(connection, jobs);

type Work<T> = (session: Session, environmentId: number | null) => Promise<T>;

function plainWork(connection: Connection, jobs: readonly NewJob[]): Work<Job[]> {
  const ids = jobs.map(({ id }) => id);
  const [statement, values] = plainInsert(jobs);
  return async (session: Session, environmentId: number | null): Promise<Job[]> => {
    const { rows } = await session.sql(statement, [...values, connection.givenNow, environmentId]);
    const createdAt = Number(rows[0]?.created_at);
    session.provenBy(WAS_ENQUEUED, [ids, createdAt]);
    tallyEnqueued(session, jobsByQueue(jobs), createdAt);
    wakeWorkers(connection, session);
    return jobs.map((job) => freshJob(job, createdAt));
  };
}

/** The jobs are read back at the end, because their dependencies may have finished already. */
function flowWork(connection: Connection, given: readonly NewJob[]): Work<Job[]> {
  return async (session, environmentId) => {
    const { jobs, instead } = await admitted(connection, session, given);
    const all = () => getAll(session, [...new Set(given.map(({ id }) => instead.get(id) ?? id))]);
    if (jobs.length === 0) return answerFor(given, instead, await all());
    const columns = columnsOf(jobs.map(wholeValues), ALL_COLUMNS.length);
    const { names, limited } = namesOfGroups(jobs);
    await addGroups(session, names, limited, connection.givenNow);
    const { rows } = await session.sql(INSERT_FLOW, [...columns, connection.givenNow, environmentId]);
    const createdAt = Number(rows[0]?.created_at);
    session.provenBy(WAS_ENQUEUED, [jobs.map(({ id }) => id), createdAt]);
    tallyEnqueued(session, jobsByQueue(jobs), createdAt);
    tagNew(
      session,
      jobs.map(({ id }) => id),
    );
    await keepStdins(session, jobs);
    await linkNew(connection, session, rows.filter(waitsForOthers), createdAt);
    lookAtGates(session, rows);
    limitGroups(session, jobs);
    wakeWorkers(connection, session);
    return answerFor(given, instead, await all());
  };
}

/** The next turn makes the jobs at these gates ready, as far as slots are free. */
function lookAtGates(session: Session, rows: readonly Row[]): void {
  const gates = [...new Set(rows.flatMap(({ waits_at }) => waits_at ?? []))];
  if (gates.length > 0) session.send('INSERT INTO freed_gates (gate) SELECT unnest($1::text[])', [arrayOf(gates)]);
}

const answerFor = (given: readonly NewJob[], instead: AdmittedJobs['instead'], stored: readonly Job[]): Job[] => {
  const byId = new Map(stored.map((job) => [job.id, job]));
  return given.map(({ id }) => byId.get(instead.get(id) ?? id)).filter((job) => job !== undefined);
};

const waitsForOthers = ({ depends_on }: Row): boolean => depends_on !== null;
