// How long a worker may take its jobs for its own. Where hosts share a store, others take its jobs when its lease is
// over, whether it lives or not: so these are ended while it lasts, by us or, when we are killed or stalled, by the
// guard beside us. Where all workers see each other, jobs go on as long as their worker does, even if it cannot write.

import { hostClockMs } from '../../process/tree/host-clock.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Guard } from './guard.ts';

/** The guard comes second: it cannot report why. */
const GUARD_LATER_MS = 100;
/** The clock may still say that there is time when a timer says that there is none. */
const CLOCK_STEP_MS = 20;

interface Terms {
  readonly leaseMs: number;
  readonly graceMs: number;
}

export class LeaseClock {
  private readonly settings: () => Settings;
  private readonly spansHosts: boolean;
  private readonly runOut: (graceMs: number) => void;
  private guard: Pick<Guard, 'sureUntil' | 'leave'> | null = null;
  private renewedAt = Number.NEGATIVE_INFINITY;
  /** The last moment at which nobody else could have taken our jobs, or at which we were seen to be awake. */
  private sureAt = Number.NEGATIVE_INFINITY;
  /** As others know them by the last sign of life: what is set after it counts from the next one on. */
  private terms: Terms = { leaseMs: 0, graceMs: 0 };
  private timer: NodeJS.Timeout | undefined;

  /** `runOut` is called when it is time to end all jobs, with this much grace. */
  constructor(settings: () => Settings, spansHosts: boolean, runOut: (graceMs: number) => void) {
    this.settings = settings;
    this.spansHosts = spansHosts;
    this.runOut = runOut;
  }

  get now(): number {
    return hostClockMs();
  }

  /** `at`: from before the sign of life was sent, as others may have seen it by then. */
  renewed(at: number): void {
    this.renewedAt = at;
    this.terms = this.settled;
    this.sureSince(at);
  }

  /** From now on a guard ends our jobs when we no longer can. */
  guardedBy(guard: Pick<Guard, 'sureUntil' | 'leave'>): void {
    this.guard = guard;
    this.sureSince(this.sureAt);
  }

  /** Before each sign of life, and as often: a lease that ran out while we were stalled must not count as ours again. */
  check(): void {
    if (this.hasRunOut && (this.spansHosts || this.guard !== null)) this.runOut(this.terms.graceMs);
    if (!this.spansHosts) this.sureSince(this.now); // we are awake, and those who can see us leave us our jobs
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.guard?.leave();
  }

  get untilRenewalMs(): number {
    return this.heartbeatMs - (this.now - this.renewedAt);
  }

  /** Whether the last renewal is so long ago that others may not have been able to renew either. */
  get isLate(): boolean {
    return this.now - this.renewedAt > 2 * this.heartbeatMs;
  }

  /** Whether a guard or another worker may have ended our jobs since we were last sure of them. */
  get hasRunOut(): boolean {
    return this.now > this.sureAt + this.endAfterMs;
  }

  /** Until when a job may be started that was handed out before: with much to spare. */
  get startUntilMs(): number {
    return Math.max(this.renewedAt, this.sureAt) + this.terms.leaseMs / 2;
  }

  get leaseMs(): number {
    return this.settings().ms('lease_duration');
  }

  /** Often enough that a missed heartbeat or two does not cost the lease. */
  get heartbeatMs(): number {
    return Math.min(this.settings().ms('heartbeat_interval'), this.leaseMs / 3);
  }

  private get settled(): Terms {
    const { leaseMs } = this;
    return { leaseMs, graceMs: Math.min(this.settings().ms('kill_grace'), leaseMs / 4) };
  }

  private sureSince(at: number): void {
    this.sureAt = at;
    const leftMs = at + this.endAfterMs - this.now;
    clearTimeout(this.timer);
    if (this.spansHosts) this.timer = setTimeout(() => this.check(), Math.max(0, leftMs) + CLOCK_STEP_MS);
    this.guard?.sureUntil({
      untilMs: at + this.endAfterMs + GUARD_LATER_MS,
      graceMs: this.terms.graceMs,
      patienceMs: this.spansHosts ? 0 : this.terms.leaseMs / 4,
    });
  }

  private get endAfterMs(): number {
    return this.terms.leaseMs * 0.9 - this.terms.graceMs;
  }
}
