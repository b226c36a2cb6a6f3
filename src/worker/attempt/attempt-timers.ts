// Timers of one attempt: the warning before its timeout, and the timeout.

import type { Task } from '../../store/store.ts';
import { LongTimer } from './long-timer.ts';

export interface Timed {
  /** Called shortly before the timeout. */
  warn(signal: NodeJS.Signals): void;
  timeOut(): void;
}

export class AttemptTimers {
  private readonly timers: LongTimer[] = [];

  constructor({ timeoutSeconds, outcomeRules }: Pick<Task, 'timeoutSeconds' | 'outcomeRules'>, timed: Timed) {
    if (timeoutSeconds === null) return;
    this.add(timeoutSeconds, () => timed.timeOut());
    const warning = outcomeRules?.warning;
    if (warning)
      this.add(timeoutSeconds - warning.seconds, () => timed.warn(`SIG${warning.signal}` as NodeJS.Signals));
  }

  stop(): void {
    for (const timer of this.timers) timer.stop();
  }

  private add(seconds: number, ring: () => void): void {
    this.timers.push(new LongTimer(seconds * 1000, ring));
  }
}
