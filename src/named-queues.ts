// The named queues, as commands and routes use them: their limits, whether they are paused or drained, and what the end of
// any of their jobs calls for.

import type { Hooks } from './job/hooks.ts';
import { checkedHooks } from './job/input-hooks.ts';
import type { QueueChange, QueueLimit, Store } from './store/store.ts';

export class NamedQueues {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Of those queues that have any. */
  limits(): Promise<QueueLimit[]> {
    return this.store.queues.limits();
  }

  /** What is not given stays as it is. */
  limit(name: string, change: QueueChange): Promise<QueueLimit> {
    return this.store.queues.limit(name, change);
  }

  /** Nothing new of it starts; EVERY_QUEUE: nothing at all. */
  async pause(name: string): Promise<void> {
    const known = (await this.limits()).find(({ queue }) => queue === name);
    if (known?.pausedAt == null) await this.limit(name, { pausedAt: this.store.now() });
  }

  /** Answers what is still paused. */
  async resume(name: string): Promise<QueueLimit[]> {
    await this.limit(name, { pausedAt: null, drainingAt: null });
    return (await this.limits()).filter(({ pausedAt }) => pausedAt !== null);
  }

  /** From now on no new jobs may come into it. */
  async drain(name: string): Promise<void> {
    await this.limit(name, { drainingAt: this.store.now() });
  }

  /** What the end of any job of this queue calls for. */
  hooks(name: string): Promise<Hooks> {
    return this.store.hooks.ofQueue(name);
  }

  /** Replaces what is there. Each is checked as `hooks` of a job is: invalid_job. */
  setHooks(name: string, hooks: Readonly<Record<string, unknown>>): Promise<void> {
    return this.store.hooks.setForQueue(name, checkedHooks(hooks));
  }
}
