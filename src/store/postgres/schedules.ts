// Schedules and their ticks. A schedule moves on only from the tick that was seen, in the transaction that makes its jobs:
// whoever comes second finds it moved, and does nothing. Schedules are locked in the order of their names.

import type { NewEnvironment } from '../../job/environment.ts';
import { DEFAULT_QUEUE, type Job, type NewJob } from '../../job/job.ts';
import type { NewSchedule, Schedule, Tick } from '../../schedule/schedule.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Row } from '../rows.ts';
import {
  asMade,
  AWAITED,
  CANCELLABLE,
  madeCells,
  leftOutCells,
  oldTicks,
  SCHEDULE_COLUMNS,
  scheduleCells,
  scheduleExists,
  scheduleNotFound,
  scheduleOf,
  skippedAfter,
  skippedCells,
  type TickCells,
  tickOf,
  unfinishedOf,
} from '../schedule-rows.ts';
import type { ScheduleChange, Schedules, TickDecision } from '../store.ts';
import { cancelIn } from './change.ts';
import type { Connection, Session } from './connection.ts';
import { insertJobs } from './enqueue.ts';
import { findOrAdd, writeWith } from './environments.ts';
import { columnsOf, now } from './rows.ts';
import { tally } from './series.ts';
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

const MOVE_ON = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
      AS given (name, seen_next_at, seen_updated_at, next_at)),
  locked AS MATERIALIZED (
    SELECT s.name, given.next_at FROM schedules s JOIN given ON given.name = s.name
    WHERE s.next_at = seen_next_at AND s.updated_at = seen_updated_at AND s.paused_at IS NULL
    ORDER BY s.name FOR UPDATE OF s)
  UPDATE schedules s SET next_at = locked.next_at FROM locked WHERE s.name = locked.name
  RETURNING s.name, s.environment_id`;

function decide(connection: Connection, decisions: readonly TickDecision[]): Promise<number> {
  return connection.write(async (session) => {
    const environments = await moveOn(session, decisions);
    const carried = decisions.filter(({ seen }) => environments.has(seen.name));
    await cancelUnfinished(connection, session, carried.flatMap(({ cancel }) => cancel)); // biome-ignore format: one line
    const fresh = await recordAll(connection, session, carried);
    let count = 0;
    for (const [environmentId, jobs] of Map.groupBy(fresh, ({ schedule }) =>
      environments.get(schedule ?? ''),
    )) {
      const there = await insertMade(connection, session, jobs, environmentId ?? null);
      count += jobs.filter(({ id }, i) => there[i]?.id === id).length;
    }
    return count;
  }, REPEATABLE);
}

const CORRECT = `
  UPDATE ticks SET outcome = given.outcome, reason = given.reason, job_id = given.job_id
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
    AS given (schedule, tick_at, outcome, reason, job_id)
  WHERE ticks.schedule = given.schedule COLLATE "C" AND ticks.tick_at = given.tick_at`;

/** Answers the jobs that are there: in place of a unique one that was left out, another, and then its tick says so. */
async function insertMade(
  connection: Connection,
  session: Session,
  jobs: readonly NewJob[],
  environmentId: number | null,
): Promise<Job[]> {
  const there = await insertJobs(connection, session, jobs, environmentId);
  const leftOut = leftOutCells(jobs, there);
  if (leftOut.length > 0) await session.sql(CORRECT, columnsOf(leftOut, 5));
  return there;
}

/** The environments of the schedules that were as they had been seen, by their names. */
async function moveOn(
  session: Session,
  decisions: readonly TickDecision[],
): Promise<Map<string, number | null>> {
  const cells = decisions.map(({ seen, nextAt }) => [seen.name, seen.nextAt, seen.updatedAt, nextAt]);
  const { rows } = await session.sql(MOVE_ON, columnsOf(cells, 4));
  return new Map(rows.map((row) => [String(row.name), row.environment_id as number | null]));
}

/** Answers the jobs of ticks that nobody had decided about before. */
async function recordAll(
  connection: Connection,
  session: Session,
  decisions: readonly TickDecision[],
): Promise<NewJob[]> {
  const jobs = decisions.flatMap((decision) => decision.jobs);
  const skipped = decisions.flatMap((decision) =>
    decision.skipped.map((tick) => skippedCells(decision.seen.name, tick)),
  );
  const recorded = await record(connection, session, [
    ...jobs.map((job) => madeCells(job, null)),
    ...skipped,
  ]);
  const tallies = new Tallies();
  for (const { seen, skipped } of decisions) {
    const unmade = skipped.filter(({ tick }) => recorded.has(`${tick} ${seen.name}`));
    tallies.skippedTicks(seen.job.queue ?? DEFAULT_QUEUE, unmade.length);
  }
  tally(session, tallies, connection.givenNow);
  forgetOld(session, decisions.map(({ seen }) => seen.name)); // biome-ignore format: one line
  return jobs.filter(({ schedule, scheduledAt }) => recorded.has(tickName(schedule, scheduledAt)));
}

const RECORD = `
  INSERT INTO ticks (schedule, tick_at, outcome, reason, job_id, decided_at)
  SELECT given.*, t.now
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS given,
    (SELECT ${now('$6')} AS now OFFSET 0) t
  ON CONFLICT DO NOTHING RETURNING schedule, tick_at`;

/** Answers the ticks that nobody had decided about before. One that is no longer kept is known by its job. */
async function record(
  connection: Connection,
  session: Session,
  cells: readonly TickCells[],
): Promise<Set<string>> {
  if (cells.length === 0) return new Set();
  const made = await madeBefore(session, cells);
  const known = cells.map((tick) => asMade(tick, made.get(tickName(tick[0], tick[1])) ?? null));
  const { rows } = await session.sql(RECORD, [...columnsOf(known, 5), connection.givenNow]);
  const recorded = rows.map(({ schedule, tick_at }) => tickName(schedule, tick_at));
  return new Set(recorded.filter((tick) => !made.has(tick)));
}

const tickName = (schedule: unknown, at: unknown): string => `${at} ${schedule}`;

const MADE_BEFORE = `
  SELECT j.schedule, j.scheduled_at, j.id
  FROM unnest($1::text[], $2::bigint[]) AS given (schedule, at)
  JOIN jobs j ON j.schedule = given.schedule COLLATE "C" AND j.scheduled_at = given.at`;

/** The jobs of ticks, by their names. */
async function madeBefore(session: Session, cells: readonly TickCells[]): Promise<Map<string, string>> {
  const given = columnsOf(cells.map(([schedule, at]) => [schedule, at]), 2); // biome-ignore format: one line
  const { rows } = await session.sql(MADE_BEFORE, given);
  return new Map(rows.map((row) => [tickName(row.schedule, row.scheduled_at), String(row.id)]));
}

function forgetOld(session: Session, names: readonly string[]): void {
  session.tell(
    `DELETE FROM ticks USING unnest($1::text[]) AS given (name) WHERE ${oldTicks('given.name COLLATE "C"')}`,
    [names],
  );
}

/** Some may have ended since they were seen. */
async function cancelUnfinished(
  connection: Connection,
  session: Session,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await session.sql(
    `SELECT id FROM jobs WHERE id = ANY($1::text[]) AND ${CANCELLABLE} ORDER BY seq FOR UPDATE`,
    [ids],
  );
  await cancelIn(connection, session, rows.map(({ id }) => String(id))); // biome-ignore format: one line
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

/** Done twice, it finds the second time that it was changed: then it is computed anew, and comes to the same. */
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
