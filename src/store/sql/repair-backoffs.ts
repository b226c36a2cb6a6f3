// Failed jobs whose last attempt ended in the future, by a clock that was set back since: which they are, and what becomes
// of them. Their delay counts from now.

import { TRANSITIONS } from '../../job/lifecycle.ts';
import { WAITING } from './due.ts';

/** Clocks that agree may still differ by this much. */
const TOLERATED_MS = 1000;
const REPAIR_AT_ONCE = 1000;

export const IS_WAITING_TO_RETRY = `${WAITING} AND state = '${TRANSITIONS.fail.to}'`;

export const endedInFuture = (now: string): string => `updated_at > ${now} + ${TOLERATED_MS}`;

/** Those that wait longest are looked at first: an end in the future makes for the longest wait there is. */
export const seqsFromFuture = (now: string): string => `
  SELECT seq FROM (
    SELECT seq, updated_at FROM jobs WHERE ${IS_WAITING_TO_RETRY}
    ORDER BY next_run_at DESC LIMIT ${REPAIR_AT_ONCE}) waiting
  WHERE ${endedInFuture(now)}`;

export const repairFrom = (now: string): string =>
  `UPDATE jobs SET next_run_at = ${now} + next_run_at - updated_at, updated_at = ${now}`;
