// Conversions between table rows and schedules, shared by both stores.

import { QueueError } from '../../errors/errors.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { CANCELLABLE_STATES } from '../../job/state-sets.ts';
import { jsonIn } from '../../job/stored-json.ts';
import { TICKS_KEPT } from '../../schedule/schedule-limits.ts';
import type { SkippedTick } from '../../schedule/plan-ticks.ts';
import type { NewSchedule, Schedule, Tick } from '../../schedule/schedule.ts';
import { quoted, type Row } from './rows.ts';

export const SCHEDULE_COLUMNS = 'name, spec, job, paused_at, next_at, created_at, updated_at';

export const scheduleOf = (row: Row): Schedule => ({
  name: row.name as string,
  spec: documentIn(row.spec),
  job: documentIn(row.job),
  nextAt: row.next_at as number | null,
  pausedAt: row.paused_at as number | null,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
});

/** Invalid JSON, as after a manual edit, becomes an empty document, which fails only where a field is needed. */
const documentIn = <T>(text: unknown): T => (jsonIn(text) ?? {}) as T;

export const scheduleCells = ({ name, spec, job, nextAt }: NewSchedule) =>
  [name, JSON.stringify(spec), JSON.stringify(job), nextAt] as const;

export const tickOf = (row: Row): Tick => ({
  at: row.tick_at as number,
  outcome: row.outcome as Tick['outcome'],
  reason: row.reason as Tick['reason'],
  jobId: row.job_id as string | null,
  decidedAt: row.decided_at as number,
});

/** Must match the condition of the index of schedules literally. */
export const AWAITED = 'next_at IS NOT NULL AND paused_at IS NULL';
export const NEXT_TICK_AT = `(SELECT min(next_at) FROM schedules WHERE ${AWAITED})`;

export const CANCELLABLE = `state IN (${quoted(CANCELLABLE_STATES)})`;

/** Schedules keep their environments when a queue is reset. */
export const NOT_OF_SCHEDULE = 'NOT EXISTS (SELECT 1 FROM schedules WHERE environment_id = environments.id)';

/** Selects the ticks of one schedule beyond those that are kept. `name` is a parameter. */
export const oldTicks = (name: string): string => `
  schedule = ${name} AND tick_at < (
    SELECT tick_at FROM ticks WHERE schedule = ${name} ORDER BY tick_at DESC LIMIT 1 OFFSET ${TICKS_KEPT - 1})`;

/**
 * Selects skipped ticks of one schedule that are still to come. Ticks with a job are kept, so that no second job is
 * created.
 */
export const skippedAfter = (name: string, time: string): string =>
  `schedule = ${name} AND tick_at > ${time} AND outcome = 'skipped'`;

export type TickCells = readonly [
  schedule: string,
  at: number,
  outcome: string,
  reason: string | null,
  jobId: string | null,
];

export const skippedCells = (name: string, { tick, reason, jobId }: SkippedTick): TickCells => [
  name,
  tick,
  'skipped',
  reason,
  jobId,
];

export const madeCells = ({ id, schedule, scheduledAt }: NewJob, reason: Tick['reason']): TickCells => [
  schedule ?? '',
  scheduledAt ?? 0,
  'enqueued',
  reason,
  id,
];

/** Returns the ticks whose unique job was skipped. `there` contains the existing jobs in place of the skipped ones. */
export const leftOutCells = (jobs: readonly NewJob[], there: readonly Job[]): TickCells[] =>
  jobs.flatMap(({ id, schedule, scheduledAt }, i) => {
    const jobId = there[i]?.id ?? id;
    if (jobId === id) return [];
    return [skippedCells(schedule ?? '', { tick: scheduledAt ?? 0, reason: 'not_unique', jobId })];
  });

/** If the tick has created a job before, it is recorded that way, whatever is decided about it now. */
export const asMade = (tick: TickCells, jobId: string | null): TickCells =>
  jobId === null ? tick : [tick[0], tick[1], 'enqueued', null, jobId];

export const scheduleExists = (name: string): QueueError => new QueueError('schedule_exists', { name, where: '' });

export const scheduleNotFound = (name: string): QueueError =>
  new QueueError('schedule_not_found', {
    name,
    hint: 'list the schedules: queuectl schedule list',
  });
