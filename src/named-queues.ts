// The named queues, as commands and routes use them: their limits, whether they are paused or drained, and what the end of
// any of their jobs calls for.

import type { Confinement } from './job/confinement.ts';
import type { Hooks } from './job/hooks.ts';
import { checkedHooks } from './job/input-hooks.ts';
import { changedLimits } from './job/limits-input.ts';
import { sandbox, user } from './job/confinement-input.ts';
import { expectSandbox } from './confinement-check.ts';
import { confinementKey, confinementValue } from './settings/confinement-in-force.ts';
import { Settings } from './settings/settings.ts';
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

  /** What its jobs may use and touch, beyond what holds for all. */
  async confinement(name: string): Promise<Confinement> {
    return new Settings(await this.store.settings()).confinement.ofQueue(name);
  }

  /** Replaces what is there. Running workers see it at their next turn; what runs goes on as it was started. */
  confine(name: string, confinement: Confinement): Promise<void> {
    return this.store.saveSetting(confinementKey(name), confinementValue(confinement));
  }

  /** What any of its jobs may use: by the names and values of a job's `limits`; null takes one back. invalid_job. */
  async limitResources(name: string, change: Readonly<Record<string, unknown>>): Promise<void> {
    const before = await this.confinement(name);
    await this.confine(name, { ...before, limits: changedLimits(before.limits, change) });
  }

  /** The sandbox and the user that all of its jobs run with; null takes one back. invalid_job. */
  async require(name: string, change: Readonly<Record<string, unknown>>): Promise<void> {
    const settings = new Settings(await this.store.settings());
    const { sandbox: sandboxBefore, user: userBefore, ...others } = settings.confinement.ofQueue(name);
    const said = { sandbox: sandboxBefore, user: userBefore, ...change };
    const required = {
      ...(said.sandbox != null && { sandbox: sandbox(said.sandbox, 'sandbox') }),
      ...(said.user != null && { user: user(said.user, 'user') }),
    };
    if (required.sandbox !== undefined) expectSandbox(required.sandbox, settings);
    await this.confine(name, { ...others, ...required });
  }
}
