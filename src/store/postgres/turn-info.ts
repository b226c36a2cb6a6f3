// What a turn needs to know about the queue besides the jobs that it ends and claims. These are the columns of one statement,
// because each separate query would take a round trip.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import type { JobState } from '../../job/job.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { HAS_TOO_LARGE, IS_LIMITED, limitOf } from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import { NEXT_TICK_AT } from '../rows/schedule-rows.ts';
import { WAITING } from '../sql/due.ts';
import type { Lease, StopMode, TurnResult } from '../store.ts';
import { HAS_ENDINGS } from './dependencies.ts';
import { IS_OUTDATED } from './migrate.ts';
import { SETTINGS, settingsOf } from './settings.ts';

/** The part that is returned to the worker. */
export type Answer = Pick<
  TurnResult,
  'known' | 'cancelling' | 'isOutdated' | 'stopRequested' | 'settings' | 'nextDueAt' | 'nextTickAt' | 'hasEndings'
>;

export interface TurnInfo extends Answer {
  /** Whether a claim has to count anything. */
  readonly hasLimits: boolean;
  readonly limits: readonly QueueLimit[];
}

/** When the next waiting job in this state becomes due. */
const dueAt = (state: JobState): string => `(
  SELECT next_run_at FROM jobs WHERE ${WAITING} AND state = '${state}'
  ORDER BY next_run_at LIMIT 1)`;

/** When the next waiting job becomes due. least() ignores NULL. */
export const NEXT_DUE_AT = `least(${CLAIMABLE_STATES.map(dueAt).join(', ')})`;

/** Whether a claim has to count anything, as SQL. */
export const HAS_LIMITS = `(
  (SELECT 1 FROM queue_limits WHERE ${IS_LIMITED} LIMIT 1) IS NOT NULL
  OR (SELECT 1 FROM jobs WHERE ready = 1 AND gated = 1 LIMIT 1) IS NOT NULL
  OR (SELECT 1 FROM freed_gates LIMIT 1) IS NOT NULL
  OR ${HAS_TOO_LARGE})`;

/** $1 is the ID of the worker. */
export const TURN_INFO = `
  (SELECT id FROM workers WHERE id = $1 AND condemned_at IS NULL) IS NOT NULL AS known,
  (SELECT stop_requested FROM workers WHERE id = $1) AS stop_requested,
  ${IS_OUTDATED} AS is_outdated,
  (SELECT coalesce(json_agg(json_build_object('seq', seq, 'run', runs) ORDER BY seq), '[]')
    FROM jobs WHERE locked_by = $1 AND cancel_requested_at IS NOT NULL) AS cancelling,
  (${SETTINGS}) AS settings,
  ${NEXT_DUE_AT} AS next_due_at,
  ${HAS_ENDINGS} AS has_endings,
  ${NEXT_TICK_AT} AS next_tick_at,
  ${HAS_LIMITS} AS has_limits,
  (SELECT coalesce(json_agg(l), '[]') FROM queue_limits l) AS limits`;

export const turnInfoOf = (row: Row): TurnInfo => ({
  known: row.known as boolean,
  cancelling: row.cancelling as Lease[],
  isOutdated: row.is_outdated as boolean,
  stopRequested: row.stop_requested as StopMode | null,
  settings: settingsOf(row.settings),
  nextDueAt: row.next_due_at as number | null,
  nextTickAt: row.next_tick_at as number | null,
  hasEndings: row.has_endings as boolean,
  hasLimits: row.has_limits as boolean,
  limits: ((row.limits ?? []) as Row[]).map(limitOf),
});
