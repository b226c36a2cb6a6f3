// The rules of src/job/due.ts in SQL, for statements that apply them to many jobs at once. They read the same in both
// dialects; a test of the contract compares their answers with those of the functions.

import { READINESS } from '../../job/readiness.ts';
import { FIRST_GATE } from '../rows/limit-rows.ts';

/** Jobs that will be ready when their time has come. In just these words the index of waiting jobs has it. */
export const WAITING = 'ready = 0 AND next_run_at IS NOT NULL';

/** Bounds a turn when very many jobs come due at once; the rest follows in the next turn. */
export const PROMOTE_AT_ONCE = 1000;

/** What `ready` of a new job is. */
export const firstReady = (now: string): string =>
  `CASE WHEN coalesce(run_at, 0) <= ${now} THEN 1 ELSE 0 END`;

/** The same of one that may have to pass a gate; it waits there until it is let in. */
export const firstReadyAtGate = (now: string): string =>
  `CASE WHEN coalesce(run_at, 0) > ${now} THEN 0 WHEN ${FIRST_GATE} IS NULL THEN 1 ELSE ${READINESS.atGate} END`;

/** Where it waits then. */
export const firstGateAt = (now: string): string =>
  `CASE WHEN coalesce(run_at, 0) <= ${now} THEN ${FIRST_GATE} END`;

/** When a new job may first start; `later` is what the dialect calls the greater of two values. */
export const firstRunAt = (now: string, later: 'max' | 'greatest'): string =>
  `${later}(coalesce(run_at, 0), ${now})`;
