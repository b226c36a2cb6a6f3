// Limits for schedules.

/** Number of runs kept per schedule, and of skipped runs recorded at once. */
export const TICKS_KEPT = 100;
/** Maximum number of jobs that queue up in a chain. */
export const MOST_UNFINISHED = 100;
