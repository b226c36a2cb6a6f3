// A worker: takes turns with the store until it is told to stop. Each turn reports what ended and takes what fits.
// Turns never overlap; whatever happens (an exit, a wake-up, a timer, a signal) only rings for another turn.

import { isDeepStrictEqual } from 'node:util';
import type { QueueError } from '../errors.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Rescue, Rescuer } from '../maintenance/rescue.ts';
import type { ProcessIdentity } from '../process/identity.ts';
import { Settings, type Stored } from '../settings/settings.ts';
import type { Claimed, StopMode, Turn, TurnResult } from '../store/store.ts';
import { Alarm } from './alarm.ts';
import { Guard } from './guard.ts';
import { LeaseClock } from './lease-clock.ts';
import { Mirror } from './mirror.ts';
import { isNothingLeft } from './nothing-left.ts';
import { logPathsFor } from './paths.ts';
import { Pace } from './pace.ts';
import { type Reports, Slots } from './slots.ts';
import { Trouble } from './trouble.ts';
import type { WorkerOptions, WorkerParts } from './worker-parts.ts';

const SHORTEST_SLEEP_MS = 5; // whatever the clocks say, nobody asks without end
const COPY_LOGS_MS = 1000;
/** How long a worker that was stopped by force tries to report, beyond the grace of its jobs. */
const LEAVE_WITHIN_MS = 5000;

export class Worker {
  private readonly options: WorkerOptions;
  private readonly parts: WorkerParts;
  private readonly own: ProcessIdentity & Rescuer;
  private readonly slots: Slots;
  private readonly logPath: Turn['logPath'];
  private readonly maintenance: Maintenance;
  private readonly rescue: Rescue;
  private readonly lease: LeaseClock;
  private readonly trouble: Trouble;
  private readonly alarm = new Alarm();
  private settings: Settings;
  private stored: Stored = {};
  private stopping: StopMode | null = null;
  private nextDueAt: number | null = null;
  private readonly pace: Pace;
  private done = false;
  /** Resolves when there is no sense in waiting for the store any longer. */
  private readonly abandoned = Promise.withResolvers<void>();
  private reachedAt = performance.now();
  private guard: Guard | null = null;

  constructor(options: WorkerOptions, parts: WorkerParts) {
    const settings = (): Settings => this.settings;
    const log = (line: string): void => options.log(`${options.id}  ${line}`);
    this.options = options;
    this.parts = parts;
    this.own = { id: options.id, ...parts.identity, storeId: parts.store.id };
    this.settings = new Settings({}, parts.overrides);
    this.logPath = logPathsFor(parts.place, options.id);
    this.trouble = new Trouble(log);
    this.pace = new Pace(parts.starter, () => this.alarm.ring());
    const { maintenance, rescue } = parts.chores(this.own, settings, log);
    this.maintenance = maintenance;
    this.rescue = rescue;
    this.lease = new LeaseClock(settings, parts.store.spansHosts, (graceMs) => this.letGo(graceMs));
    this.slots = new Slots(
      {
        workerId: options.id,
        db: parts.place.dbForJobs,
        environment: parts.environment,
        settings,
        now: parts.store.now,
        notAfterMs: () => this.lease.startUntilMs,
        hasRunOut: () => this.lease.hasRunOut,
        starter: parts.starter,
        adoptsOrphans: options.ownsProcess ?? false,
        pipes: parts.pipes,
        watch: options.watch,
        mirror: parts.store.spansHosts ? new Mirror(parts.store.outputs) : null,
      },
      {
        log,
        changed: () => this.alarm.ring(),
        shortage: (problem) => this.trouble.beginShortage(problem),
        begins: (lease) => this.guard?.begins(lease),
        started: (lease, leader) => this.guard?.started(lease, leader),
        ended: (lease) => this.guard?.ended(lease),
      },
    );
  }

  /** Resolves when the worker has left: stopped, or drained. */
  async run(): Promise<void> {
    await this.register();
    const stopListening = this.parts.store.onWake(() => this.alarm.ring());
    const timers = [setInterval(() => this.lease.check(), this.lease.heartbeatMs)];
    if (this.parts.store.spansHosts) timers.push(setInterval(() => this.slots.copyLogs(), COPY_LOGS_MS));
    try {
      await Promise.race([this.work(), this.abandoned.promise]);
      this.log('left');
    } finally {
      this.done = true;
      stopListening();
      for (const timer of timers) clearInterval(timer);
      await this.lease.end();
    }
  }

  private async work(): Promise<void> {
    while (!this.done) {
      await this.turn();
      if (this.done) break;
      await this.alarm.next(this.sleepMs());
    }
    await this.maintenance.settled();
    // What it holds and does not run: it was cut off, or was handed it without hearing of it.
    await this.rescue.giveBackOwn();
  }

  /** graceful: running jobs finish. force: they are ended and put back, and the worker leaves within seconds. */
  stop(mode: StopMode): void {
    if (this.stopping === 'force' || this.stopping === mode) return;
    this.stopping = mode;
    this.log(`stopping: its jobs ${mode === 'force' ? 'are ended and put back' : 'finish first'}`);
    if (mode === 'force') {
      this.slots.endAll('stopped');
      setTimeout(() => this.abandon(), this.settings.ms('kill_grace') + LEAVE_WITHIN_MS).unref();
    }
    this.alarm.ring();
  }

  /** Leaves at once, with nothing of its jobs left running: what it held is for others to take back. */
  async leaveNow(): Promise<void> {
    this.stop('force');
    await this.slots.killAll();
    this.abandon();
  }

  /** Ends what runs without any grace; the rest goes on as it does. */
  killJobs(): Promise<void> {
    return this.slots.killAll();
  }

  private abandon(): void {
    if (!this.done) this.log('leaves without a word to the queue, which does not answer');
    this.abandoned.resolve();
  }

  get runningCount(): number {
    return this.slots.count;
  }

  private async turn(): Promise<void> {
    let reports: Reports = { started: [], ended: [] };
    try {
      await this.renewIfDue();
      this.guardIfNeeded();
      this.maintenance.runDue((error) => this.log(`chore failed: ${error.message}`));
      reports = this.slots.takeReports();
      const result = await this.parts.store.turn(this.request(reports));
      this.slots.reported(reports);
      reports = { started: [], ended: [] };
      this.reachedAt = performance.now();
      this.trouble.pass();
      await this.obey(result);
      this.done = await this.isDone();
    } catch (error) {
      this.slots.giveBack(reports);
      this.rescue.forgetSightings();
      this.trouble.begin((error as Error).message);
      this.giveUpIfIdle(error as QueueError);
    }
  }

  /** Nothing runs any more, and nobody can be told how it ended: its queue is gone, or was away for a whole lease. */
  private giveUpIfIdle(error: QueueError): void {
    if (this.slots.count > 0) return;
    const isAway = this.stopping !== null && performance.now() - this.reachedAt > this.lease.leaseMs;
    if (error.code === 'store_gone' || isAway) throw error;
  }

  private request(reports: Reports): Turn {
    const free = this.options.concurrency - this.slots.count;
    return {
      ...reports,
      worker: this.own,
      want: this.stopping === null ? this.pace.limit(this.trouble.limit(free)) : 0,
      queues: this.options.queues,
      only: this.options.only,
      policy: this.settings.backoff,
      maxConcurrentJobs: this.settings.limit('max_concurrent_jobs'),
      logPath: this.logPath,
    };
  }

  private async obey(result: TurnResult): Promise<void> {
    this.learn(result.settings);
    this.nextDueAt = result.nextDueAt;
    for (const lease of result.cancelling) this.slots.end(lease, 'cancelled');
    if (result.claimed.length > 0) this.trouble.endShortage();
    await this.pace.each(result.claimed, (claimed) => this.begin(claimed));
    for (const { seq, state } of result.settled)
      if (state === null) this.log(`lost its lease on job number ${seq}`);
    if (result.isOutdated) this.leaveToNewer();
    if (result.stopRequested) this.stop(result.stopRequested);
    if (result.more) this.alarm.ring();
    if (!result.known) await this.startAfresh();
  }

  /** What was claimed while somebody stopped this worker is not begun any more. */
  private begin(claimed: Claimed): void {
    if (this.stopping === null && !this.done) this.slots.start(claimed);
    else this.slots.putBack(claimed, 'its worker was stopped');
  }

  private leaveToNewer(): void {
    if (this.stopping) return;
    this.log('a newer queuectl has changed the queue: restart this worker with that version');
    this.stop('graceful');
  }

  /** This turn was still by the settings of the last one: changed ones need another. */
  private learn(stored: Stored): void {
    if (isDeepStrictEqual(stored, this.stored)) return;
    this.stored = stored;
    this.settings = new Settings(stored, this.parts.overrides);
    this.alarm.ring();
  }

  private async register(): Promise<void> {
    const { queues, concurrency, only = null } = this.options;
    this.learn(await this.parts.store.settings());
    const { leaseMs, now } = this.lease;
    await this.parts.store.registerWorker({ ...this.own, queues, concurrency, leaseMs, onlyJob: only });
    this.lease.renewed(now);
    await this.rescue.look(); // before anything is claimed: somebody may have to guard it
    this.guardIfNeeded();
    this.log(
      `ready: pid ${this.own.pid}, ${concurrency} at once, ${queues ? `queues ${queues.join(', ')}` : 'all queues'}`,
    );
  }

  /** Where all workers see each other, each of them can end what another one leaves behind. */
  private guardIfNeeded(): void {
    const { store } = this.parts;
    const { guard: args, id } = this.options;
    if (this.guard || !args || !(store.spansHosts || this.rescue.hasUnseenOthers)) return;
    const patienceMs = store.spansHosts ? 0 : this.lease.leaseMs / 4;
    this.guard = new Guard({ args, workerId: id, graceMs: this.lease.graceMs, patienceMs });
    this.slots.introduceTo(this.guard);
    this.lease.guardedBy(this.guard);
    if (!store.spansHosts) this.log('other workers cannot see this one: a guard stands by');
  }

  private async renewIfDue(): Promise<void> {
    if (this.lease.untilRenewalMs > 0) return;
    this.lease.check();
    if (this.lease.isLate) this.rescue.forgetSightings();
    const { now, leaseMs } = this.lease;
    const leases = await this.parts.store.renew(this.own.id, { notice: this.trouble.notice, leaseMs });
    this.lease.renewed(now);
    if (leases === null) await this.startAfresh();
    else this.slots.reconcile(leases);
  }

  private letGo(graceMs: number): void {
    if (this.slots.count === 0) return;
    this.log('its lease is running out: its jobs are ended before others run them');
    this.slots.endAll('cut_off', graceMs);
  }

  /** Others took this worker for dead: what it ran is theirs now, once it is ended here. */
  private async startAfresh(): Promise<void> {
    this.log('was taken for dead: its jobs belong to others now and are ended here');
    await this.slots.loseAll();
    await this.rescue.giveBackOwn();
    await this.register();
    this.alarm.ring();
  }

  private async isDone(): Promise<boolean> {
    if (!this.slots.isIdle) return false;
    if (this.stopping) return true;
    return isNothingLeft(this.parts.store, this.options);
  }

  /** Until something is known to be due; the poll beneath it forgives a lost wake-up. */
  private sleepMs(): number {
    const { pauseMs } = this.trouble;
    if (pauseMs > 0) return Math.max(SHORTEST_SLEEP_MS, pauseMs);
    const untilDue =
      this.nextDueAt === null ? Number.POSITIVE_INFINITY : this.nextDueAt - this.parts.store.now();
    const { untilRenewalMs } = this.lease;
    const { untilStartReportMs } = this.slots;
    const poll = this.settings.ms('poll_interval');
    return Math.max(SHORTEST_SLEEP_MS, Math.min(poll, untilDue, untilRenewalMs, untilStartReportMs));
  }

  private log(line: string): void {
    this.options.log(`${this.own.id}  ${line}`);
  }
}
