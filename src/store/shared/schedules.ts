// Reading and removing schedules. Each store adds and changes schedules itself, together with the jobs that they
// create.

import { NON_FINAL_STATES } from '../../job/job.ts';
import type { Schedules } from '../port/schedules.ts';
import { AWAITED, SCHEDULE_COLUMNS, scheduleNotFound, scheduleOf, tickOf } from '../rows/schedule-rows.ts';
import { type Database, provenBy, rowsOf, run } from '../sql/database.ts';
import { join, literal, raw, type Sql, sql } from '../sql/statement.ts';

type Reading = Pick<Schedules, 'get' | 'all' | 'page' | 'due' | 'unfinishedJobs' | 'ticks' | 'remove'>;

export function readSchedules(database: Database): Reading {
  const { dialect } = database;
  const schedules = async (which: Sql) =>
    (await database.rows(sql`SELECT ${raw(SCHEDULE_COLUMNS)} FROM schedules ${which}`)).map(scheduleOf);
  return {
    get: async (name) => (dialect.isStorable(name) ? ((await schedules(sql`WHERE name = ${name}`))[0] ?? null) : null),
    all: () => schedules(sql`ORDER BY name`),
    page: (afterName, limit) => schedules(sql`WHERE name > ${afterName} ORDER BY name ${dialect.limit(limit)}`),
    due: (limit, except = []) =>
      schedules(sql`
        WHERE ${raw(AWAITED)} AND next_at <= ${database.now()} AND NOT ${dialect.isAmong('name', 'text', except)}
        ORDER BY next_at ${dialect.limit(limit)}`),
    unfinishedJobs: async (name, limit) => (await database.rows(unfinishedOf(name, limit))).map(({ id }) => String(id)),
    ticks: async (name, limit) => {
      const newest = sql`SELECT * FROM ticks WHERE schedule = ${name} ORDER BY tick_at DESC`;
      return (await database.rows(sql`${newest} ${dialect.limit(limit)}`)).map(tickOf);
    },
    remove: (names) => remove(database, names),
  };
}

/**
 * Selects the oldest unfinished jobs of a schedule. Queries each state separately, because the index is sorted within a
 * state.
 */
function unfinishedOf(name: string, limit: number): Sql {
  const first = sql`ORDER BY seq LIMIT ${literal(limit)}`;
  const parts = NON_FINAL_STATES.map((state) => {
    const isOfState = sql`schedule = ${name} AND state = ${raw(`'${state}'`)}`;
    return sql`SELECT * FROM (SELECT seq, id FROM jobs WHERE ${isOfState} ${first}) ${raw(`${state}_jobs`)}`;
  });
  return sql`SELECT id FROM (${join(parts, ' UNION ALL ')}) unfinished ${first}`;
}

function remove(database: Database, names: readonly string[]): Promise<void> {
  const { dialect } = database;
  const areNamed = dialect.isAmong('name', 'text', names);
  return database.write(
    function* () {
      const rows = yield* rowsOf(sql`DELETE FROM schedules WHERE ${areNamed} RETURNING name`);
      const removed = new Set(rows.map(({ name }) => name));
      const missing = names.find((name) => !removed.has(name));
      if (missing !== undefined) throw scheduleNotFound(missing);
      yield* run(sql`DELETE FROM ticks WHERE ${dialect.isAmong('schedule', 'text', names)}`);
      yield* provenBy(sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE ${areNamed})`);
    },
    { wakes: true },
  );
}
