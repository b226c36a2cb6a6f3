// Lets a few heavy requests in at a time. Others wait briefly for their turn, in the order they came, and are then told to
// come back later: better a quick refusal than a server that answers nobody.

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

  /** Returns how to leave; else too_busy. */
  async enter(): Promise<() => void> {
    if (this.running < this.limits.heavyAtOnce) this.running++;
    else await this.turn();
    let isIn = true;
    return () => {
      if (isIn) this.leave();
      isIn = false;
    };
  }

  /** A request that leaves hands its place on, so that a newcomer cannot jump the queue. */
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
