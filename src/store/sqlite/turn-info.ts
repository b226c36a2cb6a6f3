// State of the queue that a turn needs, apart from the jobs that it settles and claims. One statement reads all of it,
// because each separate statement would cost a call and a worker needs this for almost every job.

import type { JobState } from '../../job/job.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import type { Stored } from '../../settings/settings.ts';
import { WAITING } from '../sql/due.ts';
import { HAS_TOO_LARGE, IS_LIMITED } from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import { NEXT_TICK_AT } from '../rows/schedule-rows.ts';
import type { Connection } from './connection.ts';

export interface TurnInfo {
  /** When the next waiting job is due; null if none is waiting. */
  readonly nextDueAt: number | null;
  readonly nextTickAt: number | null;
  /** True if a gate may have a free slot. */
  readonly isFreed: boolean;
  readonly isLimited: boolean;
  /** True if jobs wait under their size for a larger worker. */
  readonly hasTooLarge: boolean;
  readonly hasEndings: boolean;
  /** True if jobs of this worker are to be cancelled. */
  readonly isCancelling: boolean;
  readonly settings: Stored;
}

/**
 * Selects when the next waiting job of each state is due. The states are part of the text: if they were bound, SQLite
 * would plan the statement again for each value because of the index of dead jobs, which takes 9 microseconds instead
 * of 2.5.
 */
const dueTimes = (states: readonly JobState[]): string =>
  states
    .map(
      (state, i) =>
        `(SELECT next_run_at FROM jobs WHERE ${WAITING} AND state = '${state}' ORDER BY next_run_at LIMIT 1) AS due${i}`,
    )
    .join(', ');

function earliest(row: Row | undefined, states: readonly JobState[]): number | null {
  const times = states.map((_, i) => (row?.[`due${i}`] ?? null) as number | null);
  return times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

const TURN_INFO = `
  SELECT ${dueTimes(CLAIMABLE_STATES)}, ${NEXT_TICK_AT} AS tick,
    EXISTS (SELECT 1 FROM freed_gates) AS freed,
    EXISTS (SELECT 1 FROM queue_limits WHERE ${IS_LIMITED}) AS limited,
    ${HAS_TOO_LARGE} AS too_large,
    EXISTS (SELECT 1 FROM endings) AS endings,
    EXISTS (SELECT 1 FROM jobs WHERE locked_by = ? AND cancel_requested_at IS NOT NULL) AS cancelling,
    (SELECT json_group_object(key, json(value)) FROM settings) AS settings`;

export function readTurnInfo(connection: Connection, workerId: string): TurnInfo {
  const row = connection.sql(TURN_INFO).get(workerId) as Row;
  return {
    nextDueAt: earliest(row, CLAIMABLE_STATES),
    nextTickAt: row.tick as number | null,
    isFreed: row.freed === 1,
    isLimited: row.limited === 1,
    hasTooLarge: row.too_large === 1,
    hasEndings: row.endings === 1,
    isCancelling: row.cancelling === 1,
    settings: connection.settings.read(row.settings as string),
  };
}

/** Returns when the next waiting job in one of these states is due. */
export const nextDueAt = (connection: Connection, states: readonly JobState[] = CLAIMABLE_STATES): number | null =>
  earliest(connection.sql(`SELECT ${dueTimes(states)}`).get(), states);
