// Which outcomes of an attempt mean what.

import type { Outcome } from './job.ts';

/** The command came to an end of its own, or ran for as long as it may: only then does its run time say anything. */
export const TIMED_OUTCOMES = ['completed', 'failed', 'signalled', 'timeout'] as const satisfies Outcome[];
