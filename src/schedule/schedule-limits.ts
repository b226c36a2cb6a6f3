// How much is kept and done of a schedule at the most.

/** So many ticks of a schedule are kept, and so many skipped ones are recorded at once. */
export const TICKS_KEPT = 100;
/** More jobs than this do not queue up behind one another. */
export const MOST_UNFINISHED = 100;
