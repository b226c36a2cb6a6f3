// Schedules and their ticks. The transaction that inserts the jobs of a tick advances the schedule, but only from the tick that was
// read: a second transaction finds it advanced and does nothing. Schedules are locked in the order of their names.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { NewSchedule, Schedule } from '../../schedule/schedule.ts';
import { madeCells, scheduleCells, scheduleExists, skippedAfter, skippedCells } from '../rows/schedule-rows.ts';
import type { ScheduleChange, Schedules } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';
import { readSchedules } from '../shared/schedules.ts';
import type { Database } from '../sql/database.ts';
import { findOrAdd, writeWith } from './environments.ts';
import { columnsOf, now } from './rows.ts';
import { decide, forgetOld, insertMade, record } from './ticks.ts';
import { wakeWorkers } from './wake.ts';

export const schedulesOf = (database: Database, connection: Connection): Schedules => ({
  ...readSchedules(database),
  add: (schedules, environment) => add(connection, schedules, environment),
  decide: (decisions) => decide(connection, decisions),
  runNow: (name, job) => runNow(connection, name, job),
  change: (seen, to) => change(connection, seen, to),
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
    wakeWorkers(connection, session);
    return schedules.map((schedule) => ({ ...schedule, pausedAt: null, createdAt: at, updatedAt: at }));
  });
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

/** If it is repeated, it finds the schedule changed and computes the change again, with the same result. */
function change(connection: Connection, seen: Schedule, to: ScheduleChange): Promise<boolean> {
  const { name, nextAt, updatedAt } = seen;
  const cells = [JSON.stringify(to.spec), JSON.stringify(to.job), to.nextAt, to.pausedAt];
  return connection.write(async (session) => {
    const given = [...cells, connection.givenNow, name, nextAt, updatedAt];
    if ((await session.sql(CHANGE, given)).count === 0) return false;
    await changeEnvironment(session, name, to.environment);
    if (to.undecidedAfter !== undefined)
      session.send(`DELETE FROM ticks WHERE ${skippedAfter('$1', '$2')}`, [name, to.undecidedAfter]);
    await record(connection, session, to.skipped.map((tick) => skippedCells(name, tick))); // biome-ignore format: one line
    forgetOld(session, [name]);
    wakeWorkers(connection, session);
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
