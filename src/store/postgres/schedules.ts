// Schedules and their ticks. A schedule moves on only from the tick that was seen, in the transaction that makes its jobs:
// the second one finds it moved, and does nothing. Schedules are locked in the order of their names.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { NewSchedule, Schedule, Tick } from '../../schedule/schedule.ts';
import type { Row } from '../rows/rows.ts';
import {
  AWAITED,
  madeCells,
  SCHEDULE_COLUMNS,
  scheduleCells,
  scheduleExists,
  scheduleNotFound,
  scheduleOf,
  skippedAfter,
  skippedCells,
  tickOf,
  unfinishedOf,
} from '../rows/schedule-rows.ts';
import type { ScheduleChange, Schedules } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';
import { findOrAdd, writeWith } from './environments.ts';
import { columnsOf, now } from './rows.ts';
import { decide, forgetOld, insertMade, record } from './ticks.ts';
import { tellAll } from './wake.ts';

export const schedulesOf = (connection: Connection): Schedules => ({
  add: (schedules, environment) => add(connection, schedules, environment),
  get: (name) => get(connection, name),
  all: () => all(connection),
  page: (afterName, limit) => page(connection, afterName, limit),
  due: (limit, except = []) => due(connection, limit, except),
  unfinishedJobs: (name, limit) => unfinishedJobs(connection, name, limit),
  ticks: (name, limit) => ticks(connection, name, limit),
  decide: (decisions) => decide(connection, decisions),
  runNow: (name, job) => runNow(connection, name, job),
  change: (seen, to) => change(connection, seen, to),
  remove: (names) => remove(connection, names),
});

const REPEATABLE = { isRepeatable: true } as const;

const ADD = `
  INSERT INTO schedules (name, spec, job, next_at, environment_id, created_at, updated_at)
  SELECT name, spec, job, next_at, $6::bigint, t.now, t.now
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS given (name, spec, job, next_at),
    (SELECT ${now('$5')} AS now OFFSET 0) t
  ON CONFLICT DO NOTHING RETURNING name, created_at`;

function add(
  connection: Connection,
  schedules: readonly NewSchedule[],
  environment: NewEnvironment | null,
): Promise<Schedule[]> {
  const names = schedules.map(({ name }) => name);
  const columns = columnsOf(schedules.map(scheduleCells), 4);
  return writeWith(connection, environment, async (session, environmentId) => {
    const { rows } = await session.sql(ADD, [...columns, connection.givenNow, environmentId]);
    const added = new Set(rows.map(({ name }) => name));
    const taken = names.find((name, i) => !added.has(name) || names.indexOf(name) < i);
    if (taken !== undefined) throw scheduleExists(taken);
    const at = Number(rows[0]?.created_at);
    session.provenBy('SELECT 1 FROM schedules WHERE name = ANY($1::text[]) AND created_at = $2', [names, at]);
    tellAll(connection, session);
    return schedules.map((schedule) => ({ ...schedule, pausedAt: null, createdAt: at, updatedAt: at }));
  });
}

async function get(connection: Connection, name: string): Promise<Schedule | null> {
  if (name.includes('\0')) return null;
  const { rows } = await connection.query(`SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE name = $1`, [
    name,
  ]);
  return rows[0] ? scheduleOf(rows[0]) : null;
}

async function all(connection: Connection): Promise<Schedule[]> {
  const { rows } = await connection.query(`SELECT ${SCHEDULE_COLUMNS} FROM schedules ORDER BY name`);
  return rows.map(scheduleOf);
}

async function page(connection: Connection, afterName: string, limit: number): Promise<Schedule[]> {
  const { rows } = await connection.query(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE name > $1 ORDER BY name LIMIT $2`,
    [afterName, limit],
  );
  return rows.map(scheduleOf);
}

async function due(connection: Connection, limit: number, except: readonly string[]): Promise<Schedule[]> {
  const { rows } = await connection.query(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE ${AWAITED} AND next_at <= ${now('$1')}
       AND name <> ALL($3::text[]) ORDER BY next_at LIMIT $2`,
    [connection.givenNow, limit, except],
  );
  return rows.map(scheduleOf);
}

async function unfinishedJobs(connection: Connection, name: string, limit: number): Promise<string[]> {
  const { rows } = await connection.query(unfinishedOf('$1', limit), [name]);
  return rows.map(({ id }) => String(id));
}

async function ticks(connection: Connection, name: string, limit: number): Promise<Tick[]> {
  const { rows } = await connection.query(
    'SELECT * FROM ticks WHERE schedule = $1 ORDER BY tick_at DESC LIMIT $2',
    [name, limit],
  );
  return rows.map(tickOf);
}

const TOUCH = `
  UPDATE schedules SET updated_at = greatest(${now('$2')}, updated_at + 1) WHERE name = $1
  RETURNING environment_id`;

function runNow(connection: Connection, name: string, job: NewJob): Promise<Job | null> {
  return connection.write(async (session) => {
    const [schedule] = (await session.sql(TOUCH, [name, connection.givenNow])).rows;
    if (!schedule) {
      session.provenBy('SELECT 1');
      return null;
    }
    await record(connection, session, [madeCells(job, 'by_hand')]);
    forgetOld(session, [name]);
    const [made] = await insertMade(connection, session, [job], schedule.environment_id as number | null);
    return made ?? null;
  });
}

const CHANGE = `
  UPDATE schedules SET spec = $1, job = $2, next_at = $3, paused_at = $4,
    updated_at = greatest(${now('$5')}, updated_at + 1)
  WHERE name = $6 AND next_at IS NOT DISTINCT FROM $7::bigint AND updated_at = $8`;

/** Done twice, the second time finds the schedule changed: then it is computed again, with the same result. */
function change(connection: Connection, seen: Schedule, to: ScheduleChange): Promise<boolean> {
  const { name, nextAt, updatedAt } = seen;
  const cells = [JSON.stringify(to.spec), JSON.stringify(to.job), to.nextAt, to.pausedAt];
  return connection.write(async (session) => {
    const given = [...cells, connection.givenNow, name, nextAt, updatedAt];
    if ((await session.sql(CHANGE, given)).count === 0) return false;
    await changeEnvironment(session, name, to.environment);
    if (to.undecidedAfter !== undefined)
      session.tell(`DELETE FROM ticks WHERE ${skippedAfter('$1', '$2')}`, [name, to.undecidedAfter]);
    await record(connection, session, to.skipped.map((tick) => skippedCells(name, tick))); // biome-ignore format: one line
    forgetOld(session, [name]);
    tellAll(connection, session);
    return true;
  }, REPEATABLE);
}

async function changeEnvironment(
  session: Session,
  name: string,
  environment: NewEnvironment | null | undefined,
): Promise<void> {
  if (environment === undefined) return;
  const id = environment === null ? null : await findOrAdd(session, environment);
  await session.sql('UPDATE schedules SET environment_id = $1 WHERE name = $2', [id, name]);
}

const ARE_GONE = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE name = ANY($1::text[]))';

function remove(connection: Connection, names: readonly string[]): Promise<void> {
  return connection.write(async (session) => {
    const { rows } = await session.sql('DELETE FROM schedules WHERE name = ANY($1::text[]) RETURNING name', [
      names,
    ]);
    const removed = new Set(rows.map((row: Row) => row.name));
    const missing = names.find((name) => !removed.has(name));
    if (missing !== undefined) throw scheduleNotFound(missing);
    session.tell('DELETE FROM ticks WHERE schedule = ANY($1::text[])', [names]);
    session.provenBy(ARE_GONE, [names]);
    tellAll(connection, session);
  });
}
