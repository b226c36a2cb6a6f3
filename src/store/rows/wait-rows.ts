// The place of waiting jobs in line, as SQL for both dialects. Every count follows an index and has a bound, so that
// its cost does not grow with the queue.

import { isSize } from '../../job/flow/concurrency.ts';
import { READINESS } from '../../job/readiness.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { WAITING } from '../sql/due.ts';
import { CANDIDATE_COLUMNS, type GateColumn, type RunningJobs } from './limit-rows.ts';
import { quoted, type Row } from './rows.ts';
import { COUNT_AT_MOST, type Line, type Lingering, type WaitCounts } from '../store.ts';

const MINUTE_MS = 60_000;
const HEADS_AT_MOST = 100;

const counted = (from: string, atMost: number = COUNT_AT_MOST): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${atMost}) counted)`;

/** Names of the statement's parameters in the dialect. */
interface LineParameters {
  readonly queue: string;
  readonly priority: string;
  readonly seq: string;
  readonly now: string;
}

export function lineOf({ queue, priority, seq, now }: LineParameters): string {
  const ready = `jobs WHERE ready = ${READINESS.ready} AND queue = ${queue}`;
  const ended = (state: string): string => `
    SELECT * FROM (SELECT queue FROM jobs WHERE state = '${state}' AND finished_at IS NOT NULL
      AND finished_at > ${now} - ${MINUTE_MS} LIMIT ${COUNT_AT_MOST}) ${state}_jobs`;
  return `
    SELECT ${counted(`${ready} AND priority > ${priority}`)}
      + ${counted(`${ready} AND priority = ${priority} AND seq < ${seq}`)} AS ahead,
      ${counted(ready)} AS ready, count(*) AS ended,
      coalesce(sum(CASE WHEN queue = ${queue} THEN 1 ELSE 0 END), 0) AS ended_here
    FROM (${ended('completed')} UNION ALL ${ended('dead')}) ended_jobs`;
}

export function lineFrom(row: Row | undefined): Line {
  const number = (name: string): number => Number(row?.[name] ?? 0);
  return {
    ahead: Math.min(COUNT_AT_MOST, number('ahead')),
    ready: number('ready'),
    endedLastMinute: number('ended') >= COUNT_AT_MOST ? null : number('ended_here'),
  };
}

/**
 * `queue` is a parameter, or null for all queues. The condition that names are not empty makes each count an index
 * range.
 */
export function countsOfWaits(queue: string | null, atMost: number = COUNT_AT_MOST): string {
  const some = (from: string): string => counted(from, atMost);
  const isAmong = queue === null ? "queue > ''" : `queue = ${queue}`;
  return `
    SELECT ${some(`jobs WHERE ready = ${READINESS.held} AND ${isAmong}`)} AS held,
      ${some(`jobs WHERE ready = ${READINESS.atGate} AND waits_at > '' AND ${isAmong}`)} AS at_gate,
      ${some("groups WHERE name > ''")} AS groups, ${some("schedules WHERE name > ''")} AS schedules,
      (SELECT next_at FROM schedules WHERE next_at IS NOT NULL AND paused_at IS NULL ORDER BY next_at LIMIT 1) AS next_at`;
}

export const countsFrom = (row: Row | undefined): WaitCounts => ({
  held: Number(row?.held ?? 0),
  atGate: Number(row?.at_gate ?? 0),
  groups: Number(row?.groups ?? 0),
  schedules: Number(row?.schedules ?? 0),
  nextTickAt: row?.next_at == null ? null : Number(row.next_at),
});

/**
 * Selects the job of this queue that gets the next slot of a gate: a ready job, or else the best one that waits there.
 */
export const nextAtGate = (column: 'key' | 'group_name', value: string, gate: string, queue: string): string => `
  SELECT id FROM (
    SELECT * FROM (SELECT id, 0 AS rank, priority, seq FROM jobs
      WHERE ready = ${READINESS.ready} AND ${column} IS NOT NULL AND ${column} = ${value} AND queue = ${queue}
      ORDER BY priority DESC, seq LIMIT 1) ready_job
    UNION ALL
    SELECT * FROM (SELECT id, 1 AS rank, priority, seq FROM jobs
      WHERE ready = ${READINESS.atGate} AND waits_at = ${gate} AND queue = ${queue}
      ORDER BY priority DESC, seq LIMIT 1) waiting_job) found
  ORDER BY rank LIMIT 1`;

/** Selects the job of a gate that has run longest, and the number of running jobs. */
export const holdersOf = (column: GateColumn, value: string, running: RunningJobs): string => `
  SELECT id, locked_at, count(*) OVER () AS n FROM ${running(column, 'r')}
  WHERE locked_by IS NOT NULL AND ${column} IS NOT NULL AND ${column} = ${value} ORDER BY locked_at LIMIT 1`;

/** Outcomes are passed on in this order, so checking the first few suffices. */
const ENDINGS_LOOKED_AT = 100;

export const lingeringOf = (heldBefore: string): string => `
  SELECT ${counted(`jobs WHERE ready = ${READINESS.held} AND queue > '' AND updated_at < ${heldBefore}`)} AS held,
    (SELECT min(j.finished_at) FROM (SELECT job_seq FROM endings ORDER BY number LIMIT ${ENDINGS_LOOKED_AT}) e
      JOIN jobs j ON j.seq = e.job_seq) AS untold`;

export const lingeringFrom = (row: Row | undefined): Lingering => ({
  held: Number(row?.held ?? 0),
  untoldSince: row?.untold == null ? null : Number(row.untold),
});

/** Selects the IDs of the first ready job of each queue, if it could have run before this time. */
export const firstInLine = (dueBefore: string): string => `
  SELECT j.id FROM (SELECT (
      SELECT r.seq FROM jobs r WHERE r.ready = ${READINESS.ready} AND r.queue = q.queue
      ORDER BY r.priority DESC, r.seq LIMIT 1) AS seq
    FROM (SELECT DISTINCT queue FROM counters WHERE state IN (${quoted(CLAIMABLE_STATES)})) q) first
  JOIN jobs j ON j.seq = first.seq WHERE j.next_run_at <= ${dueBefore} LIMIT ${HEADS_AT_MOST}`;

/** Selects the IDs of jobs that were due before this time but that no turn has made ready. */
export const overdue = (dueBefore: string): string =>
  CLAIMABLE_STATES.map(
    (state) => `SELECT * FROM (SELECT id FROM jobs WHERE ${WAITING} AND state = '${state}'
      AND next_run_at <= ${dueBefore} ORDER BY next_run_at LIMIT ${HEADS_AT_MOST}) of_${state}`,
  ).join(' UNION ALL ');

/** False for a job that waits under its size. */
export const isAtGate = (job: Row): boolean => Number(job.ready) === READINESS.atGate && !isSize(String(job.waits_at));

/** True if a claim would consider the job. */
export const isClaimable = (job: Row): boolean =>
  Number(job.ready) === READINESS.ready || (Number(job.ready) === READINESS.atGate && !isAtGate(job));

/** Reads a job, whether it waits or not. */
export const WAITING_JOB = `SELECT ${CANDIDATE_COLUMNS}, ready FROM jobs WHERE id =`;
