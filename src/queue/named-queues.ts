// The named queues, as commands and routes use them: their limits, whether they are paused or drained, and what the end of
// any of their jobs calls for.

import type { Confinement } from '../job/isolation/isolation.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import { checkedHooks } from '../job/input/input-hooks.ts';
import { invalid } from '../job/input/input-readers.ts';
import { changedLimits } from '../job/input/limits-input.ts';
import { sandbox, user } from '../job/input/isolation-input.ts';
import { expectSandbox } from '../intake/isolation-check.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';
import { checkHookPolicy } from '../intake/setting-check.ts';
import { confinementKey, confinementValue } from '../settings/confinement-in-force.ts';
import { Settings } from '../settings/settings.ts';
import type { QueueChange, QueueLimit, Store } from '../store/store.ts';

/** What may be said of a queue; null takes it back. */
export interface QueueWish {
  readonly limit?: QueueChange;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly confinement?: QueueConfinement;
}

/** By the names and values of a job's: limits for each of its jobs, a sandbox and a user that all of them run with. */
export interface QueueConfinement {
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly sandbox?: unknown;
  readonly user?: unknown;
}

export class NamedQueues {
  private readonly store: Store;
  private readonly who: Enqueuer | null;

  /** `who` sets them; null: a user of this machine. */
  constructor(store: Store, who: Enqueuer | null) {
    this.store = store;
    this.who = who;
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

  /** Returns what is still paused. */
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

  /** What its jobs may use and touch, beyond what holds for all. */
  async confinement(name: string): Promise<Confinement> {
    return new Settings(await this.store.settings()).confinement.ofQueue(name);
  }

  /** Replaces what is there. Running workers see it at their next turn; what runs goes on as it was started. */
  confine(name: string, confinement: Confinement): Promise<void> {
    return this.store.saveSetting(confinementKey(name), confinementValue(confinement));
  }

  /** What is not given stays as it is, null takes it back. Whatever is wrong is told before anything is changed: invalid_job. */
  async set(name: string, { limit = {}, hooks, confinement }: QueueWish): Promise<void> {
    if (limit.burst != null) await this.expectRate(name, limit);
    const settings = new Settings(await this.store.settings());
    const called = hooks && checkedHooks({ ...(await this.hooks(name)), ...hooks });
    const confined = confinement && confinedBy(confinement, settings.confinement.ofQueue(name), settings);
    if (called) await checkHookPolicy(this.store, called, this.who);
    if (confined) await this.confine(name, confined);
    if (called) await this.store.hooks.setForQueue(name, called);
    await this.limit(name, limit);
  }

  /** A burst of nothing would be dropped without a word. */
  private async expectRate(name: string, { ratePerSecond }: QueueChange): Promise<void> {
    const before = (await this.limits()).find(({ queue }) => queue === name)?.ratePerSecond ?? null;
    if ((ratePerSecond === undefined ? before : ratePerSecond) !== null) return;
    throw invalid(`'burst' requires a rate, and queue ${name} has none`, 'set a rate: --rate 10/s');
  }
}

function confinedBy(wish: QueueConfinement, before: Confinement, settings: Settings): Confinement {
  const { sandbox: sandboxBefore, user: userBefore, limits, ...others } = before;
  const said = { sandbox: sandboxBefore, user: userBefore, ...wish };
  const required = {
    ...(said.sandbox != null && { sandbox: sandbox(said.sandbox, 'sandbox') }),
    ...(said.user != null && { user: user(said.user, 'user') }),
  };
  if (required.sandbox !== undefined) expectSandbox(required.sandbox, settings);
  const after = wish.limits === undefined ? limits : changedLimits(limits, wish.limits);
  const isLimited = after !== undefined && Object.keys(after).length > 0;
  return { ...others, ...required, ...(isLimited && { limits: after }) };
}
