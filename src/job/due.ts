// The rule for when a job may start. Stores keep its result in the column `ready`; src/store/sql/due.ts has it in SQL.

/** Returns false for a job without a next start time: only a user or a dependency can start it. */
export const isDue = (nextRunAt: number | null, now: number): boolean => nextRunAt !== null && nextRunAt <= now;

/** Returns a new job's first start time, which is never in the past. */
export const firstRunAt = (runAt: number | null, now: number): number => Math.max(runAt ?? now, now);
