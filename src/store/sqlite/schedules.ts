// Schedules and their ticks. A schedule advances only from the tick that was read, in the transaction that creates its
// jobs. A second process finds it advanced and does nothing.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import { DEFAULT_QUEUE, type Job, type JobState, type NewJob } from '../../job/job.ts';
import { CANCELLABLE_STATES } from '../../job/state-sets.ts';
import type { NewSchedule, Schedule } from '../../schedule/schedule.ts';
import { TOOK_ITS_PLACE } from '../../schedule/tick-words.ts';
import { Tallies } from '../../series/tallies.ts';
import {
  asMade,
  madeCells,
  leftOutCells,
  oldTicks,
  scheduleCells,
  scheduleExists,
  skippedAfter,
  skippedCells,
  type TickCells,
} from '../rows/schedule-rows.ts';
import type { ScheduleChange, Schedules, TickDecision } from '../store.ts';
import { readSchedules } from '../shared/schedules.ts';
import type { Database } from '../sql/database.ts';
import { cancel } from './change.ts';
import type { Connection } from './connection.ts';
import { insertJobs } from './enqueue.ts';
import { keepEnvironment } from './environments.ts';
import { isConstraint } from './failures.ts';
import { tally } from './tally.ts';

export function schedulesOf(
  database: Database,
  connection: Connection,
  clock: () => number,
  wake: () => void,
): Schedules {
  const write = async <T>(work: () => T): Promise<T> => {
    const result = await connection.write(work);
    wake();
    return result;
  };
  return {
    ...readSchedules(database),
    add: (schedules, environment) => write(() => add(connection, schedules, environment, clock())),
    decide: (decisions) => write(() => decide(connection, decisions, clock())),
    runNow: (name, job) => write(() => runNow(connection, name, job, clock())),
    change: (seen, to) => write(() => change(connection, seen, to, clock())),
  };
}

function add(
  connection: Connection,
  schedules: readonly NewSchedule[],
  environment: NewEnvironment | null,
  now: number,
): Schedule[] {
  const environmentId = keepEnvironment(connection, environment);
  const insert = connection.sql(`
    INSERT INTO schedules (name, spec, job, next_at, environment_id, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  return schedules.map((schedule) => {
    try {
      insert.run(...scheduleCells(schedule), environmentId, now, now);
    } catch (error) {
      throw isConstraint(error) ? scheduleExists(schedule.name) : error;
    }
    return { ...schedule, pausedAt: null, createdAt: now, updatedAt: now };
  });
}

function decide(connection: Connection, decisions: readonly TickDecision[], now: number): number {
  const made = decisions.flatMap((decision) => decideOne(connection, decision, now) ?? []);
  let count = 0;
  for (const [environmentId, parts] of Map.groupBy(made, (part) => part.environmentId)) {
    const jobs = parts.flatMap((part) => part.jobs);
    if (jobs.length === 0) continue;
    const there = insertMade(connection, jobs, environmentId, now);
    count += jobs.filter(({ id }, i) => there[i]?.id === id).length;
  }
  return count;
}

/**
 * Returns the stored jobs. If a unique job was skipped, the existing job takes its place, and its tick records this.
 */
function insertMade(connection: Connection, jobs: readonly NewJob[], environmentId: number | null, now: number): Job[] {
  const there = insertJobs(connection, jobs, environmentId, now);
  const correct = connection.sql(
    'UPDATE ticks SET outcome = ?, reason = ?, job_id = ? WHERE schedule = ? AND tick_at = ?',
  );
  for (const [schedule, at, ...outcome] of leftOutCells(jobs, there)) correct.run(...outcome, schedule, at);
  return there;
}

interface Made {
  readonly environmentId: number | null;
  readonly jobs: readonly NewJob[];
}

/** Returns the jobs to insert, or null if the schedule has changed. */
function decideOne(connection: Connection, decision: TickDecision, now: number): Made | null {
  const { seen, nextAt, jobs, skipped } = decision;
  const moved = connection
    .sql(`
      UPDATE schedules SET next_at = ? WHERE name = ? AND next_at = ? AND updated_at = ? AND paused_at IS NULL
      RETURNING environment_id`)
    .get(nextAt, seen.name, seen.nextAt, seen.updatedAt);
  if (!moved) return null;
  cancelUnfinished(connection, decision.cancel, now);
  const unmade = skipped.filter((tick) => record(connection, skippedCells(seen.name, tick), now));
  tally(connection, new Tallies().skippedTicks(seen.job.queue ?? DEFAULT_QUEUE, unmade.length), now);
  const fresh = jobs.filter((job) => record(connection, madeCells(job, null), now));
  forgetOld(connection, seen.name);
  return { environmentId: moved.environment_id as number | null, jobs: fresh };
}

/** Returns true if the tick was undecided. A tick that is no longer stored is recognized by its job. */
function record(connection: Connection, cells: TickCells, now: number): boolean {
  const [schedule, at] = cells;
  const made = connection.sql('SELECT id FROM jobs WHERE schedule = ? AND scheduled_at = ? LIMIT 1').get(schedule, at);
  const { changes } = connection
    .sql('INSERT INTO ticks VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
    .run(...asMade(cells, made ? String(made.id) : null), now);
  return Number(changes) > 0 && !made;
}

function forgetOld(connection: Connection, name: string): void {
  connection.sql(`DELETE FROM ticks WHERE ${oldTicks('$name')}`).run({ $name: name });
}

/** Skips jobs that have finished since they were read. */
function cancelUnfinished(connection: Connection, ids: readonly string[], now: number): void {
  const stateOf = connection.sql('SELECT state FROM jobs WHERE id = ?');
  const found = ids.filter((id) => CANCELLABLE_STATES.includes(stateOf.get(id)?.state as JobState));
  cancel(connection, found, now);
  const explain = connection.sql('UPDATE jobs SET last_error = ? WHERE id = ?');
  for (const id of found) explain.run(TOOK_ITS_PLACE, id);
}

function runNow(connection: Connection, name: string, job: NewJob, now: number): Job | null {
  const row = connection
    .sql('UPDATE schedules SET updated_at = max(?, updated_at + 1) WHERE name = ? RETURNING environment_id')
    .get(now, name);
  if (!row) return null;
  record(connection, madeCells(job, 'by_hand'), now);
  forgetOld(connection, name);
  return insertMade(connection, [job], row.environment_id as number | null, now)[0] ?? null;
}

function change(connection: Connection, seen: Schedule, to: ScheduleChange, now: number): boolean {
  const { name, nextAt, updatedAt } = seen;
  const { spec, job, environment } = to;
  const found = connection
    .sql(`
      UPDATE schedules SET spec = ?, job = ?, next_at = ?, paused_at = ?, updated_at = max(?, updated_at + 1)
      WHERE name = ? AND next_at IS ? AND updated_at = ?`)
    .run(JSON.stringify(spec), JSON.stringify(job), to.nextAt, to.pausedAt, now, name, nextAt, updatedAt);
  if (Number(found.changes) === 0) return false;
  if (environment !== undefined) {
    const id = keepEnvironment(connection, environment);
    connection.sql('UPDATE schedules SET environment_id = ? WHERE name = ?').run(id, name);
  }
  if (to.undecidedAfter !== undefined)
    connection.sql(`DELETE FROM ticks WHERE ${skippedAfter('?', '?')}`).run(name, to.undecidedAfter);
  for (const tick of to.skipped) record(connection, skippedCells(name, tick), now);
  forgetOld(connection, name);
  return true;
}
