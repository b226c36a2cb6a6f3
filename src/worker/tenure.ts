// How long a worker may take its jobs for its own, by a clock that no step changes. Where hosts share a store, others
// cannot see whether this process lives, and take its jobs when its lease is over: so these are ended while it lasts,
// by us or, when we are killed or stand still, by the guard beside us.

import { monotonicMs } from '../process/start.ts';
import type { Settings } from '../settings/settings.ts';
import { Guard } from './guard.ts';

/** The guard comes second: it cannot tell anybody why. */
const GUARD_LATER_MS = 50;

export class Tenure {
  guard: Guard | null = null;
  private readonly settings: () => Settings;
  private readonly runOut: ((graceMs: number) => void) | null;
  private renewedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `runOut` is called in time to end all jobs with this much grace; null: they are not ended for that. */
  constructor(settings: () => Settings, runOut: ((graceMs: number) => void) | null) {
    this.settings = settings;
    this.runOut = runOut;
  }

  /** `at` by performance.now(), from before the sign of life was sent: others may have seen it by then. */
  renewed(at: number): void {
    this.renewedAt = at;
    if (this.runOut === null) return;
    const leftMs = this.endAfterMs - this.ageMs;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.runOut?.(this.graceMs), Math.max(0, leftMs));
    this.guard?.sureUntil(monotonicMs() + leftMs + GUARD_LATER_MS);
  }

  /** `args` make this program a guard for the worker with this id. */
  post(args: readonly string[], workerId: string): void {
    if (this.runOut === null || args.length === 0) return;
    this.guard = new Guard([...args, workerId, String(Math.round(this.graceMs))]);
    this.renewed(this.renewedAt);
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.guard?.leave();
  }

  get untilRenewalMs(): number {
    return this.heartbeatMs - this.ageMs;
  }

  /** Until when, by monotonicMs(), nobody else can take this worker for dead, with much to spare. */
  get sureUntilMs(): number {
    return monotonicMs() + this.leaseMs / 2 - this.ageMs;
  }

  private get ageMs(): number {
    return performance.now() - this.renewedAt;
  }

  private get leaseMs(): number {
    return this.settings().ms('lease_duration');
  }

  /** Often enough that a missed heartbeat or two does not cost the lease. */
  private get heartbeatMs(): number {
    return Math.min(this.settings().ms('heartbeat_interval'), this.leaseMs / 3);
  }

  private get graceMs(): number {
    return Math.min(this.settings().ms('kill_grace'), this.leaseMs / 4);
  }

  private get endAfterMs(): number {
    return this.leaseMs * 0.9 - this.graceMs;
  }
}
