// How much is kept and done of a schedule at the most.

/** So many ticks are kept of a schedule, and so many skipped ones are told of at once. */
export const TICKS_KEPT = 100;
/** More jobs than this do not queue up behind one another. */
export const MOST_UNFINISHED = 100;
