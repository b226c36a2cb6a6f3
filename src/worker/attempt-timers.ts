// The clock of one attempt: when to warn its job that time is running out, and when to end it.

import type { Task } from '../store/store.ts';
import { LongTimer } from './long-timer.ts';

export interface Timed {
  /** Of the job's first process, which leads its group; null: it does not run. */
  readonly runningPid: number | null;
  timeOut(): void;
}

export class AttemptTimers {
  private readonly timers: LongTimer[] = [];

  constructor({ timeoutSeconds, outcomeRules }: Pick<Task, 'timeoutSeconds' | 'outcomeRules'>, timed: Timed) {
    if (timeoutSeconds === null) return;
    this.add(timeoutSeconds, () => timed.timeOut());
    const warning = outcomeRules?.warning;
    if (warning) this.add(timeoutSeconds - warning.seconds, () => warn(timed.runningPid, warning.signal));
  }

  stop(): void {
    for (const timer of this.timers) timer.stop();
  }

  private add(seconds: number, ring: () => void): void {
    this.timers.push(new LongTimer(seconds * 1000, ring));
  }
}

/** The whole process group: the command may have been started by a shell that passes nothing on. */
function warn(pid: number | null, signal: string): void {
  try {
    if (pid !== null) process.kill(-pid, `SIG${signal}`);
  } catch {
    // It has just ended.
  }
}
