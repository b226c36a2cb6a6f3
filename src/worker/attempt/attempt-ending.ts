// Why an attempt ended, in words: because we ended it, or as its output says.

import type { Ending } from '../../job/job.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import type { AttemptLog } from '../../process/output/log.ts';
import type { Claimed } from '../../store/store.ts';

/** What we report of a job that we end, by the reason for it. */
export const ENDED_BECAUSE = {
  timeout: ({ job }) => ({ outcome: 'timeout', error: `timeout after ${job.timeoutSeconds} s` }),
  cancelled: () => ({ outcome: 'cancelled', error: 'cancelled while running' }),
  stopped: () => ({ outcome: 'released', error: 'the worker was stopped' }),
  cut_off: () => ({ outcome: 'released', error: 'the worker could not reach the database in time' }),
} as const satisfies Record<string, (claimed: Claimed) => Pick<Ending, 'outcome' | 'error'>>;

/** Why we end a job that would run on. 'lost': it is another worker's by now, which reports its end. */
export type EndReason = keyof typeof ENDED_BECAUSE | 'lost';

/** "exit code 2: convert: no such file" says more than "exit code 2". */
export function withLastLine(
  { outcome, error }: Ending,
  { isExplained }: Exit,
  log: AttemptLog,
): string | null {
  if (outcome !== 'failed' && outcome !== 'signalled' && !isExplained) return error;
  const line = log.lastLine();
  return line === null ? error : `${error}: ${line}`;
}
