// Timers of one attempt: the warning before its timeout, and the timeout.

import type { Task } from '../../store/store.ts';
import type { RunningAttempt } from './attempt.ts';

/** Longest time that a timer of Node supports. */
const LONGEST_PART_MS = 2_147_483_647;

export class AttemptTimers {
  private readonly timers: LongTimer[] = [];

  constructor(
    { timeoutSeconds, outcomeRules }: Pick<Task, 'timeoutSeconds' | 'outcomeRules'>,
    attempt: Pick<RunningAttempt, 'warn' | 'timeOut'>,
  ) {
    if (timeoutSeconds === null) return;
    this.add(timeoutSeconds, () => attempt.timeOut());
    const warning = outcomeRules?.warning;
    if (warning)
      this.add(timeoutSeconds - warning.seconds, () => attempt.warn(`SIG${warning.signal}` as NodeJS.Signals));
  }

  stop(): void {
    for (const timer of this.timers) timer.stop();
  }

  private add(seconds: number, ring: () => void): void {
    this.timers.push(new LongTimer(seconds * 1000, ring));
  }
}

/** A timer without an upper limit: longer times are split. */
class LongTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(ms: number, ring: () => void) {
    this.start(performance.now() + ms, ring);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(at: number, ring: () => void): void {
    const leftMs = Math.max(0, at - performance.now());
    const isLast = leftMs <= LONGEST_PART_MS;
    this.timer = setTimeout(() => (isLast ? ring() : this.start(at, ring)), Math.min(leftMs, LONGEST_PART_MS));
  }
}
