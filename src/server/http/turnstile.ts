// Limits concurrent heavy requests. Others wait briefly in order of arrival, then fail with too_busy: a quick rejection
// is better than a server that no longer responds.

import { QueueError } from '../../errors/errors.ts';
import type { Limits } from './server-limits.ts';

type Wait = Pick<Limits, 'heavyAtOnce' | 'heavyWaiting' | 'heavyWaitMs'>;

export class Turnstile {
  private readonly limits: Wait;
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(limits: Wait) {
    this.limits = limits;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Returns a function that leaves. Throws too_busy. */
  async enter(): Promise<() => void> {
    if (this.running < this.limits.heavyAtOnce) this.running++;
    else await this.turn();
    let isIn = true;
    return () => {
      if (isIn) this.leave();
      isIn = false;
    };
  }

  /** Passes the slot to the first waiting request, so that a new one cannot overtake it. */
  private leave(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.running--;
  }

  private turn(): Promise<void> {
    const { heavyWaiting, heavyWaitMs } = this.limits;
    if (this.waiting.size >= heavyWaiting) throw new QueueError('too_busy');
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(new QueueError('too_busy'));
      }, heavyWaitMs);
      this.waiting.add(enter);
    });
  }
}
