// Inserts any number of new jobs, gathered in a temporary table without locking others out.

import { QueueError } from '../../errors/errors.ts';
import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { NewJob } from '../../job/job.ts';
import { rememberGroup } from '../rows/group-rows.ts';
import { isPlain, newJobValues } from '../rows/new-job-rows.ts';
import type { Row } from '../rows/rows.ts';
import { countQueue } from '../../series/by-queue.ts';
import type { Staging } from '../store.ts';
import { uniqueValues } from '../rows/unique-rows.ts';
import { type Connection, LONG_MS, type Result, type Session } from './session/connection.ts';
import { linkNew } from './dependencies.ts';
import { writeWith } from './environments.ts';
import { isUndefinedTable } from './session/failures.ts';
import { addGroups, limitGroups, namesOfGroups } from './groups.ts';
import {
  ALL_COLUMNS,
  COLUMNS,
  firstTaken,
  given,
  insertFrom,
  STAGED_COLUMNS,
  typeOf,
  checkingIds,
  WAS_ENQUEUED,
  wholeValues,
} from './insert-jobs.ts';
import { columnsOf, now } from './rows.ts';
import { tallyEnqueued } from './tally.ts';
import { keepStagedStdins, stageStdins } from './stdins.ts';
import { tagStaged } from './tags.ts';
import { leaveOut } from './unique.ts';
import { wakeWorkers } from './wake.ts';

const stagedValues = (job: NewJob) => [...wholeValues(job), ...uniqueValues(job)];

const STAGED = 'pg_temp.staged';
const STAGED_STDINS = 'pg_temp.staged_stdins';
const CREATE_STAGED = `
  DROP TABLE IF EXISTS ${STAGED}, ${STAGED_STDINS};
  CREATE TEMP TABLE staged_stdins (id text, data bytea);
  CREATE TEMP TABLE staged (position bigint GENERATED ALWAYS AS IDENTITY,
    ${STAGED_COLUMNS.map((name) => `${name} ${typeOf(name)}`).join(', ')})`;
const addStaged = (columns: readonly string[]): string =>
  `INSERT INTO ${STAGED} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${given(columns)}`;
const ADD_STAGED = addStaged(COLUMNS);
const ADD_STAGED_FLOW = addStaged(STAGED_COLUMNS);
const MOVE_STAGED = `${insertFrom(STAGED, COLUMNS, '$1', '$2')} ORDER BY position`;
const MOVE_STAGED_FLOW = `
  WITH added AS (${insertFrom(STAGED, ALL_COLUMNS, '$1', '$2')} ORDER BY position
    RETURNING seq, id, group_name, depends_on, waits_at),
  gates AS (INSERT INTO freed_gates (gate) SELECT DISTINCT waits_at FROM added WHERE waits_at IS NOT NULL)
  SELECT (SELECT count(*) FROM added) AS total, waiting.*
  FROM (SELECT 1) always LEFT JOIN added waiting ON depends_on IS NOT NULL`;
const LOOK_STAGED = `SELECT id, ${now('$1')} AS now FROM ${STAGED} LIMIT 1`;
const LONG = { withinMs: LONG_MS };
/** If it is repeated after the connection was lost, it fails, because the temporary table is lost too. */
const ADDING = { ...LONG, isRepeatable: true };

/**
 * Gathers jobs in a temporary table of this connection and moves them in one transaction. A slow producer blocks no others,
 * memory use stays low, and nothing is stored if the last line is invalid. If the connection is lost, the table is lost with it:
 * nothing was enqueued, and the producer gets an error.
 */
export async function stage(connection: Connection, environment: NewEnvironment | null): Promise<Staging> {
  await connection.query(CREATE_STAGED);
  let [isFlow, isUnique] = [false, false];
  const instead = new Map<string, string>();
  const groups = new Map<string, NewJob>();
  const queues = new Map<string, number>();
  const staged = async (statement: Promise<Result>): Promise<Result> => {
    try {
      return await statement;
    } catch (error) {
      throw isUndefinedTable(error) ? lostConnection(connection) : error;
    }
  };
  const moveStaged = async (session: Session, environmentId: number | null): Promise<number> => {
    if (isUnique) await leaveOut(connection, session, STAGED, instead);
    const [any] = (await staged(session.sql(LOOK_STAGED, [connection.givenNow]))).rows;
    if (any) session.provenBy(WAS_ENQUEUED, [[any.id], any.now]);
    const { names, limited } = namesOfGroups([...groups.values()]);
    await addGroups(session, names, limited, connection.givenNow);
    const time = any?.now ?? connection.givenNow;
    tallyEnqueued(session, isUnique ? await stagedByQueue(session) : queues, Number(time));
    const { count, rows } = await session.sql(isFlow ? MOVE_STAGED_FLOW : MOVE_STAGED, [time, environmentId]);
    if (isFlow) {
      tagStaged(session, STAGED);
      await keepStagedStdins(session, STAGED_STDINS, STAGED);
      await linkNew(connection, session, rows.filter(isFound), Number(time));
      limitGroups(session, [...groups.values()]);
    }
    wakeWorkers(connection, session);
    return isFlow ? Number(rows[0]?.total) : count;
  };
  return {
    instead,
    add: async (jobs) => {
      await connection.write(async (session) => {
        const isPlainPart = jobs.every(isPlain);
        const columns = isPlainPart
          ? columnsOf(jobs.map(newJobValues), COLUMNS.length)
          : columnsOf(jobs.map(stagedValues), STAGED_COLUMNS.length);
        await staged(session.sql(isPlainPart ? ADD_STAGED : ADD_STAGED_FLOW, columns));
        if (!isPlainPart) await stageStdins(session, STAGED_STDINS, jobs);
        isFlow ||= !isPlainPart;
        isUnique ||= jobs.some(({ uniqueKey }) => uniqueKey !== null);
        for (const job of jobs) rememberGroup(groups, job);
      }, ADDING);
      for (const job of jobs) countQueue(queues, job);
    },
    commit: () =>
      checkingIds(
        () => writeWith(connection, environment, moveStaged, LONG),
        () => firstTaken(connection, STAGED, []),
      ),
    discard: async () => {
      await connection.query(`DROP TABLE IF EXISTS ${STAGED}, ${STAGED_STDINS}`);
    },
  };
}

/** Counts the staged jobs again, because some were left out. */
async function stagedByQueue(session: Session): Promise<Map<string, number>> {
  const { rows } = await session.sql(`SELECT queue, count(*) AS n FROM ${STAGED} GROUP BY queue`);
  return new Map(rows.map(({ queue, n }) => [String(queue), Number(n)]));
}

const isFound = ({ seq }: Row): boolean => seq !== null;

const lostConnection = (connection: Connection): QueueError =>
  new QueueError('store_unreachable', {
    path: connection.target.name,
    problem: 'the connection was lost before all jobs were stored; nothing was enqueued',
  });
