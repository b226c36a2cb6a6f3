// Ticks of schedules. Each is decided once, in the transaction that advances its schedule and inserts its job.

import { DEFAULT_QUEUE, type Job, type NewJob } from '../../job/job.ts';
import { TOOK_ITS_PLACE } from '../../schedule/tick-words.ts';
import { Tallies } from '../../series/tallies.ts';
import {
  asMade,
  CANCELLABLE,
  madeCells,
  leftOutCells,
  oldTicks,
  skippedCells,
  type TickCells,
} from '../rows/schedule-rows.ts';
import type { TickDecision } from '../store.ts';
import { cancelIn } from './change.ts';
import type { Connection, Session } from './session/connection.ts';
import { insertJobs } from './enqueue.ts';
import { columnsOf, now } from './rows.ts';
import { tally } from './tally.ts';

const ADVANCE = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
      AS given (name, seen_next_at, seen_updated_at, next_at)),
  locked AS MATERIALIZED (
    SELECT s.name, given.next_at FROM schedules s JOIN given ON given.name = s.name
    WHERE s.next_at = seen_next_at AND s.updated_at = seen_updated_at AND s.paused_at IS NULL
    ORDER BY s.name FOR UPDATE OF s)
  UPDATE schedules s SET next_at = locked.next_at FROM locked WHERE s.name = locked.name
  RETURNING s.name, s.environment_id`;

export function decide(connection: Connection, decisions: readonly TickDecision[]): Promise<number> {
  return connection.write(
    async (session) => {
      const environments = await advance(session, decisions);
      const carried = decisions.filter(({ seen }) => environments.has(seen.name));
      await cancelUnfinished(connection, session, carried.flatMap(({ cancel }) => cancel)); // biome-ignore format: one line
      const fresh = await recordAll(connection, session, carried);
      let count = 0;
      for (const [environmentId, jobs] of Map.groupBy(fresh, ({ schedule }) => environments.get(schedule ?? ''))) {
        const there = await insertMade(connection, session, jobs, environmentId ?? null);
        count += jobs.filter(({ id }, i) => there[i]?.id === id).length;
      }
      return count;
    },
    { isRepeatable: true },
  );
}

const CORRECT = `
  UPDATE ticks SET outcome = given.outcome, reason = given.reason, job_id = given.job_id
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
    AS given (schedule, tick_at, outcome, reason, job_id)
  WHERE ticks.schedule = given.schedule COLLATE "C" AND ticks.tick_at = given.tick_at`;

/** Returns the stored jobs. If a unique job was left out, that is the existing job, and the tick records it. */
export async function insertMade(
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

/** Advances the schedules that have not changed since they were read. Returns their environments by name. */
async function advance(session: Session, decisions: readonly TickDecision[]): Promise<Map<string, number | null>> {
  const cells = decisions.map(({ seen, nextAt }) => [seen.name, seen.nextAt, seen.updatedAt, nextAt]);
  const { rows } = await session.sql(ADVANCE, columnsOf(cells, 4));
  return new Map(rows.map((row) => [String(row.name), row.environment_id as number | null]));
}

/** Returns the jobs of ticks that were not decided before. */
async function recordAll(
  connection: Connection,
  session: Session,
  decisions: readonly TickDecision[],
): Promise<NewJob[]> {
  const jobs = decisions.flatMap((decision) => decision.jobs);
  const skipped = decisions.flatMap((decision) =>
    decision.skipped.map((tick) => skippedCells(decision.seen.name, tick)),
  );
  const recorded = await record(connection, session, [...jobs.map((job) => madeCells(job, null)), ...skipped]);
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

/** Returns the ticks that were not decided before. A tick that is no longer stored is recognised by its job. */
export async function record(
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

/** The IDs of the jobs of ticks, by the names of the ticks. */
async function madeBefore(session: Session, cells: readonly TickCells[]): Promise<Map<string, string>> {
  const given = columnsOf(cells.map(([schedule, at]) => [schedule, at]), 2); // biome-ignore format: one line
  const { rows } = await session.sql(MADE_BEFORE, given);
  return new Map(rows.map((row) => [tickName(row.schedule, row.scheduled_at), String(row.id)]));
}

export function forgetOld(session: Session, names: readonly string[]): void {
  session.send(
    `DELETE FROM ticks USING unnest($1::text[]) AS given (name) WHERE ${oldTicks('given.name COLLATE "C"')}`,
    [names],
  );
}

/** Some jobs may have finished since they were read. */
async function cancelUnfinished(connection: Connection, session: Session, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await session.sql(
    `SELECT id FROM jobs WHERE id = ANY($1::text[]) AND ${CANCELLABLE} ORDER BY seq FOR UPDATE`,
    [ids],
  );
  const found = rows.map(({ id }) => String(id));
  await cancelIn(connection, session, found);
  await session.sql('UPDATE jobs SET last_error = $1 WHERE id = ANY($2::text[])', [TOOK_ITS_PLACE, found]);
}
