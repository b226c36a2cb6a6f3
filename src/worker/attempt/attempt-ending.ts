// Texts for why an attempt ended: the worker's reason, or the last line of output.

import type { Ending } from '../../job/job.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import type { AttemptLog } from '../../process/output/log.ts';
import type { Claimed } from '../../store/store.ts';

/** Endings to report for jobs that the worker stops, by reason. */
export const ENDED_BECAUSE = {
  timeout: ({ job }) => ({ outcome: 'timeout', error: `timeout after ${job.timeoutSeconds} s` }),
  cancelled: () => ({ outcome: 'cancelled', error: 'cancelled while running' }),
  stopped: () => ({ outcome: 'released', error: 'the worker was stopped' }),
  cut_off: () => ({ outcome: 'released', error: 'the worker could not reach the database in time' }),
} as const satisfies Record<string, (claimed: Claimed) => Pick<Ending, 'outcome' | 'error'>>;

/** Why the worker stops a running job. 'lost': another worker holds the lease and reports the ending. */
export type EndReason = keyof typeof ENDED_BECAUSE | 'lost';

/** Adds the last line of output, as in "exit code 2: convert: no such file". */
export function withLastLine({ outcome, error }: Ending, { isExplained }: Exit, log: AttemptLog): string | null {
  if (outcome !== 'failed' && outcome !== 'signalled' && !isExplained) return error;
  const line = log.lastLine();
  return line === null ? error : `${error}: ${line}`;
}
