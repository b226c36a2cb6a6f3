// The rules of src/job/due.ts as SQL, for statements that apply them to many jobs. Valid in both dialects. A contract
// test compares them with the functions.

import { READINESS } from '../../job/readiness.ts';
import { FIRST_GATE } from '../rows/limit-rows.ts';

/**
 * Selects jobs that become ready at their start time. Must match the condition of the index of waiting jobs literally.
 */
export const WAITING = 'ready = 0 AND next_run_at IS NOT NULL';

/** Bounds a turn when very many jobs are due at once. The next turn handles the rest. */
export const PROMOTE_AT_ONCE = 1000;

/** Value of `ready` for a new job. */
export const firstReady = (now: string): string => `CASE WHEN coalesce(run_at, 0) <= ${now} THEN 1 ELSE 0 END`;

/** Value of `ready` for a new job that may have to wait at a gate. */
export const firstReadyAtGate = (now: string): string =>
  `CASE WHEN coalesce(run_at, 0) > ${now} THEN 0 WHEN ${FIRST_GATE} IS NULL THEN 1 ELSE ${READINESS.atGate} END`;

/** The gate at which a new job waits, or null. */
export const firstGateAt = (now: string): string => `CASE WHEN coalesce(run_at, 0) <= ${now} THEN ${FIRST_GATE} END`;

/** Start time of a new job. `later` is the dialect's function for the greater of two values. */
export const firstRunAt = (now: string, later: 'max' | 'greatest'): string => `${later}(coalesce(run_at, 0), ${now})`;
