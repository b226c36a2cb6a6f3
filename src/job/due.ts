// When a job may start. The column `ready` of a store is this rule, written down; src/store/sql/due.ts says it in SQL.

/** A job without a time for its next start does not start by itself. */
export const isDue = (nextRunAt: number | null, now: number): boolean =>
  nextRunAt !== null && nextRunAt <= now;

/** When a new job may first start: when it was told to, but never in the past. */
export const firstRunAt = (runAt: number | null, now: number): number => Math.max(runAt ?? now, now);
