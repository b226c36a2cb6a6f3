// Groups of attempt outcomes.

import type { Outcome } from './job.ts';

/** Outcomes with a meaningful run time: the command exited by itself or reached its timeout. */
export const TIMED_OUTCOMES = ['completed', 'failed', 'signalled', 'timeout'] as const satisfies Outcome[];
