// Named-queue operations for commands and routes: limits, pause, drain, isolation and hooks.

import type { Confinement } from '../job/isolation/isolation.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import { checkedHooks } from '../job/input/input-hooks.ts';
import { invalid } from '../job/input/input-readers.ts';
import { changedLimits } from '../job/input/limits-input.ts';
import { id } from '../job/input/input-readers.ts';
import { expectSandbox } from '../intake/isolation-check.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';
import { checkHookPolicy } from '../intake/setting-check.ts';
import { confinementKey, confinementValue } from '../settings/confinement-in-force.ts';
import { Settings } from '../settings/settings.ts';
import type { QueueChange, QueueLimit, Store } from '../store/store.ts';
import type { Queues } from './interface.ts';

/** Changes to a queue; null resets a value. */
export interface QueueWish {
  readonly limit?: QueueChange;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly confinement?: QueueConfinement;
}

/** Isolation for all jobs of the queue: limits for each job, and a required sandbox and user. */
export interface QueueConfinement {
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly sandbox?: unknown;
  readonly user?: unknown;
}

export class NamedQueues implements Queues {
  private readonly store: Store;
  private readonly who: Enqueuer | null;

  /** `who` makes the changes; null for a user of this machine. */
  constructor(store: Store, who: Enqueuer | null) {
    this.store = store;
    this.who = who;
  }

  limits(): Promise<QueueLimit[]> {
    return this.store.queues.limits();
  }

  /** Leaves omitted fields unchanged. */
  limit(name: string, change: QueueChange): Promise<QueueLimit> {
    return this.store.queues.limit(name, change);
  }

  async pause(name: string): Promise<void> {
    const known = (await this.limits()).find(({ queue }) => queue === name);
    if (known?.pausedAt == null) await this.limit(name, { pausedAt: this.store.now() });
  }

  async resume(name: string): Promise<QueueLimit[]> {
    await this.limit(name, { pausedAt: null, drainingAt: null });
    return (await this.limits()).filter(({ pausedAt }) => pausedAt !== null);
  }

  async drain(name: string): Promise<void> {
    await this.limit(name, { drainingAt: this.store.now() });
  }

  hooks(name: string): Promise<Hooks> {
    return this.store.hooks.ofQueue(name);
  }

  async confinement(name: string): Promise<Confinement> {
    return new Settings(await this.store.settings()).confinement.ofQueue(name);
  }

  /** Replaces the isolation. Workers apply it from their next turn on; running jobs keep theirs. */
  confine(name: string, confinement: Confinement): Promise<void> {
    return this.store.saveSetting(confinementKey(name), confinementValue(confinement));
  }

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

  /** A burst without a rate would be silently ignored, so it is rejected. */
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
    ...(said.sandbox != null && { sandbox: id(said.sandbox, 'sandbox') }),
    ...(said.user != null && { user: id(said.user, 'user') }),
  };
  if (required.sandbox !== undefined) expectSandbox(required.sandbox, settings);
  const after = wish.limits === undefined ? limits : changedLimits(limits, wish.limits);
  const isLimited = after !== undefined && Object.keys(after).length > 0;
  return { ...others, ...required, ...(isLimited && { limits: after }) };
}
