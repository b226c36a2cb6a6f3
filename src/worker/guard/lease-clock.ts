// How long a worker owns its jobs. If hosts share a store, other workers take them when the lease expires, so the jobs
// are stopped before that: by the worker, or by its guard if the worker is killed or stalled. If all workers see each
// other, jobs continue as long as their worker is alive, even if it cannot write.

import { hostClockMs } from '../../process/tree/host-clock.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Guard } from './guard.ts';

/** The guard acts after the worker, because it cannot report a reason. */
const GUARD_LATER_MS = 100;
/** A timer may fire slightly before the clock reaches its time. */
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
  /** Last time when no other worker could have taken our jobs, or when this worker was known to be awake. */
  private sureAt = Number.NEGATIVE_INFINITY;
  /** Values in the last heartbeat, which other workers use. Changed settings count from the next one. */
  private terms: Terms = { leaseMs: 0, graceMs: 0 };
  private timer: NodeJS.Timeout | undefined;

  /** `runOut` is called with the grace period when all jobs have to be stopped. */
  constructor(settings: () => Settings, spansHosts: boolean, runOut: (graceMs: number) => void) {
    this.settings = settings;
    this.spansHosts = spansHosts;
    this.runOut = runOut;
  }

  get now(): number {
    return hostClockMs();
  }

  /** `at` is a time before the heartbeat was sent, because others may have seen it since. */
  renewed(at: number): void {
    this.renewedAt = at;
    this.terms = this.settled;
    this.sureSince(at);
  }

  /** Lets the guard stop our jobs if this worker no longer can. */
  guardedBy(guard: Pick<Guard, 'sureUntil' | 'leave'>): void {
    this.guard = guard;
    this.sureSince(this.sureAt);
  }

  /** Called before each heartbeat: a lease that expired during a stall must not be renewed. */
  check(): void {
    if (this.hasRunOut && (this.spansHosts || this.guard !== null)) this.runOut(this.terms.graceMs);
    if (!this.spansHosts) this.sureSince(this.now); // awake, and workers that see it leave its jobs alone
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.guard?.leave();
  }

  get untilRenewalMs(): number {
    return this.heartbeatMs - (this.now - this.renewedAt);
  }

  /** True if the last renewal is so old that other workers may have been unable to renew too. */
  get isLate(): boolean {
    return this.now - this.renewedAt > 2 * this.heartbeatMs;
  }

  /** True if the guard or another worker may have stopped our jobs since the lease was last certain. */
  get hasRunOut(): boolean {
    return this.now > this.sureAt + this.endAfterMs;
  }

  /** Latest time to start a claimed job, with a wide margin. */
  get startUntilMs(): number {
    return Math.max(this.renewedAt, this.sureAt) + this.terms.leaseMs / 2;
  }

  get leaseMs(): number {
    return this.settings().ms('lease_duration');
  }

  /** Short enough that one or two missed heartbeats do not lose the lease. */
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
