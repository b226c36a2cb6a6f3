// A worker's registration with its store: heartbeats, lease, and a guard where other workers cannot see it. A worker
// that was considered lost stops its jobs and registers again.

import type { Settings } from '../settings/settings.ts';
import type { StopMode } from '../store/store.ts';
import { fullVersion } from '../system/build.ts';
import { Guard } from './guard/guard.ts';
import { LeaseClock } from './guard/lease-clock.ts';
import type { Slots } from './slots.ts';
import type { WorkerOptions, WorkerParts } from './worker-parts.ts';

type Parts = Pick<WorkerParts, 'own' | 'store' | 'rescue' | 'settings' | 'log'>;

/** Budget from the worker's own flag or variable, which others cannot see; null if the stored setting applies. */
const ownBudget = (settings: Settings): number | null =>
  settings.source('memory_budget') === 'environment' ? settings.limit('memory_budget') : null;

export class Registration {
  readonly lease: LeaseClock;
  /** Null if no guard is needed. */
  guard: Guard | null = null;
  private readonly options: WorkerOptions;
  private readonly parts: Parts;
  private readonly slots: () => Slots;

  constructor(options: WorkerOptions, parts: Parts, slots: () => Slots) {
    this.options = options;
    this.parts = parts;
    this.slots = slots;
    this.lease = new LeaseClock(parts.settings, parts.store.spansHosts, (graceMs) => this.letGo(graceMs));
  }

  async register(): Promise<void> {
    const { own, store, rescue, log } = this.parts;
    const { queues, concurrency, only = null } = this.options;
    const { leaseMs, now } = this.lease;
    const memoryBudget = ownBudget(this.parts.settings());
    await store.registerWorker({
      ...own,
      queues,
      concurrency,
      leaseMs,
      onlyJob: only,
      memoryBudget,
      version: fullVersion(),
    });
    this.lease.renewed(now);
    await rescue.look(); // before the first claim, because a guard may be needed
    this.guardIfNeeded();
    log(`ready: pid ${own.pid}, concurrency ${concurrency}, ${queues ? `queues ${queues.join(', ')}` : 'all queues'}`);
  }

  /** Returns false if other workers considered this one lost. */
  async renewIfDue(notice: string | null): Promise<boolean> {
    const { own, store, rescue } = this.parts;
    if (this.lease.untilRenewalMs > 0) return true;
    this.lease.check();
    if (this.lease.isLate) rescue.forgetSightings();
    const { now, leaseMs } = this.lease;
    const leases = await store.renew(own.id, { notice, leaseMs });
    this.lease.renewed(now);
    if (this.lease.isLate) rescue.forgetSightings(); // the renewal was slow, or this worker was stalled
    if (leases !== null) this.slots().reconcile(leases);
    return leases !== null;
  }

  /** Shows the stop to others. A failure does not prevent the stop. */
  announceStop(mode: StopMode): void {
    const { own, store } = this.parts;
    store.requestStop([own.id], mode).catch(() => {});
  }

  /** If all workers see each other, any of them can stop the jobs of a lost one, so no guard is needed. */
  guardIfNeeded(): void {
    const { store, rescue, log } = this.parts;
    const { guard: args, id } = this.options;
    if (this.guard || !args || !(store.spansHosts || rescue.hasUnseenOthers)) return;
    this.guard = new Guard(args, id);
    this.slots().introduceTo(this.guard);
    this.lease.guardedBy(this.guard);
    if (!store.spansHosts) log('no other worker can detect if this one is lost: a guard process watches it');
  }

  private letGo(graceMs: number): void {
    if (this.slots().count === 0) return;
    this.parts.log('lease is about to expire: stopping its jobs before other workers run them');
    this.slots().endAll('cut_off', graceMs);
  }
}
