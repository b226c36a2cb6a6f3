// How a command ended, from what the system says of it.

import type { Ending } from '../../job/job.ts';
import type { Usage } from '../../job/usage.ts';

/** How a command ended, or why it was not started, as the system tells it. */
export interface Exit extends Pick<Ending, 'outcome' | 'exitCode' | 'signal' | 'error'> {
  /** It could not be started because the machine is short of something: starting others would fail too. */
  readonly isShortage?: boolean;
  /** The last line of the output says why it could not be started. */
  readonly isExplained?: boolean;
  /** What it and the children it waited for used; absent: unknown. */
  readonly usage?: Usage | null;
}

/** Without a code and a signal, how it ended is unknown. */
export function exitOf(code: number | null, signal: string | null, usage: Usage | null = null): Exit {
  const exit = { ...howItExited(code, signal), exitCode: code, signal };
  return usage ? { ...exit, usage } : exit;
}

function howItExited(code: number | null, signal: string | null): Pick<Exit, 'outcome' | 'error'> {
  if (signal !== null) return { outcome: 'signalled', error: `killed by ${signal}` };
  if (code === 0) return { outcome: 'completed', error: null };
  if (code === null)
    return { outcome: 'failed', error: 'the command finished, but its exit status is unknown' };
  return { outcome: 'failed', error: `exit code ${code}` };
}
