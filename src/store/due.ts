// The rules of src/job/due.ts in SQL, for statements that apply them to many jobs at once. They read the same in both
// dialects; a test of the contract compares their answers with those of the functions.

/** Jobs that will be ready when their time has come. In just these words the index of waiting jobs has it. */
export const WAITING = 'ready = 0 AND next_run_at IS NOT NULL';

/** Bounds a turn when very many jobs come due at once; the rest follows in the next turn. */
export const PROMOTE_AT_ONCE = 1000;

/** What `ready` of a new job is. */
export const firstReady = (now: string): string =>
  `CASE WHEN coalesce(run_at, 0) <= ${now} THEN 1 ELSE 0 END`;

/** When a new job may first start; `later` is what the dialect calls the greater of two values. */
export const firstRunAt = (now: string, later: 'max' | 'greatest'): string =>
  `${later}(coalesce(run_at, 0), ${now})`;
