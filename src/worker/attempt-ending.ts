// How an attempt that we ended is recorded, and what is said of one that failed by itself.

import type { Ending } from '../job/job.ts';
import type { AttemptLog } from '../process/log.ts';
import type { Claimed } from '../store/store.ts';

/** Why we end a job that would run on. 'lost': somebody else has it by now, and speaks for it. */
export type EndReason = 'timeout' | 'cancelled' | 'stopped' | 'cut_off' | 'lost';

export const ENDED_BECAUSE: Record<
  Exclude<EndReason, 'lost'>,
  (claimed: Claimed) => Pick<Ending, 'outcome' | 'error'>
> = {
  timeout: ({ job }) => ({ outcome: 'timeout', error: `timeout after ${job.timeoutSeconds} s` }),
  cancelled: () => ({ outcome: 'cancelled', error: 'cancelled while running' }),
  stopped: () => ({ outcome: 'released', error: 'its worker was stopped' }),
  cut_off: () => ({ outcome: 'released', error: 'its worker could not reach the queue in time' }),
};

/** "exit code 2: convert: no such file" says more than "exit code 2". */
export function withLastLine(ending: Ending, log: AttemptLog): string | null {
  if (ending.outcome !== 'failed' && ending.outcome !== 'signalled') return ending.error;
  const line = log.lastLine();
  return line === null ? ending.error : `${ending.error}: ${line}`;
}
