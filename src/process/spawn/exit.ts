// How a command ended, as reported by the system.

import type { Ending } from '../../job/job.ts';
import type { Usage } from '../../job/usage.ts';
import type { ShellReport } from '../shell/waiting-shell.ts';

/** How a command ended, or why it did not start. */
export interface Exit extends Pick<Ending, 'outcome' | 'exitCode' | 'signal' | 'error'> {
  /** True if the machine is short of a resource, so that other starts would fail too. */
  readonly isShortage?: boolean;
  /** True if the last line of output explains why it did not start. */
  readonly isExplained?: boolean;
  /**
   * Set if the program started without a shell that would have waited for it: how that shell would have reported the
   * signal that ended the program, or null if there was none.
   */
  readonly inShell?: ShellReport | null;
  /** Resource usage of the command and its reaped children; absent if unknown. */
  readonly usage?: Usage | null;
}

/** The exit of a command that did not run. */
export const notRun = (outcome: Exit['outcome'], error: string): Exit => ({
  outcome,
  exitCode: null,
  signal: null,
  error,
});

/** Without a code and a signal, the outcome is unknown. */
export function exitOf(code: number | null, signal: string | null, usage: Usage | null = null): Exit {
  const exit = { ...howItExited(code, signal), exitCode: code, signal };
  return usage ? { ...exit, usage } : exit;
}

function howItExited(code: number | null, signal: string | null): Pick<Exit, 'outcome' | 'error'> {
  if (signal !== null) return { outcome: 'signalled', error: `killed by ${signal}` };
  if (code === 0) return { outcome: 'completed', error: null };
  if (code === null) return { outcome: 'failed', error: 'the command finished, but its exit status is unknown' };
  return { outcome: 'failed', error: `exit code ${code}` };
}
