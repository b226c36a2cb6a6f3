// A worker: takes turns with the store until it is stopped. Each turn reports endings and claims jobs that fit. Turns
// never overlap: an event (an exit, a wake-up, a timer, a signal) only requests another turn.

import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueError } from '../errors/errors.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Rescue } from '../maintenance/rescue.ts';
import type { Stored } from '../settings/settings.ts';
import type { Claimed, StopMode, Turn, TurnResult } from '../store/store.ts';
import { type Admission, admissionTo } from './admission.ts';
import { Alarm } from './alarm.ts';
import type { LeaseClock } from './guard/lease-clock.ts';
import { isNothingLeft } from './nothing-left.ts';
import { logPathsFor } from './control/paths.ts';
import { StartPace } from './start-pace.ts';
import { contextForAttempts } from './context-for-attempts.ts';
import { Registration } from './registration.ts';
import { NO_REPORTS, type Reports, Slots } from './slots.ts';
import { Ticker } from './ticker.ts';
import { Trouble } from './trouble.ts';
import type { WorkerOptions, WorkerParts } from './worker-parts.ts';

const [BEAT_MS, ENDS_AT_ONCE] = [1000, 200] as const;
/** Prevents a busy loop whatever the clocks say. */
const SHORTEST_SLEEP_MS = 5;
/** Time for a worker stopped by force to report, in addition to its jobs' grace period. */
const LEAVE_WITHIN_MS = 5000;

export class Worker {
  private readonly options: WorkerOptions;
  private readonly parts: WorkerParts;
  private readonly log: (line: string) => void;
  private readonly rescue: Rescue;
  private readonly maintenance: Maintenance;
  private readonly slots: Slots;
  private readonly logPath: Turn['logPath'];
  private readonly ticker: Ticker;
  private readonly registration: Registration;
  private readonly trouble: Trouble;
  private readonly admission: Admission;
  private readonly pace: StartPace;
  private readonly alarm = new Alarm();
  private stopping: StopMode | null = null;
  /** True if a newer program has migrated the database, so that this worker leaves. */
  isOutdated = false;
  private nextDueAt: number | null = null;
  private done = false;
  /** True if some endings have not been passed on to dependents or hooks yet. */
  private hasMoreEnds = false;
  /** Resolves when waiting for the store has become pointless. */
  private readonly abandoned = Promise.withResolvers<void>();
  private reachedAt = performance.now();

  constructor(options: WorkerOptions, parts: WorkerParts) {
    const { place, settings, log, rescue, maintenance, starter, tick } = parts;
    const ring = (): void => this.alarm.ring();
    this.options = options;
    this.parts = parts;
    this.log = log;
    this.rescue = rescue;
    this.maintenance = maintenance;
    this.logPath = logPathsFor(place, options.id);
    this.trouble = new Trouble(log);
    this.admission = admissionTo(place.folder, options, settings, log);
    this.pace = new StartPace(starter, ring);
    this.ticker = new Ticker(tick, ring, log);
    this.registration = new Registration(options, parts, () => this.slots);
    this.slots = new Slots(contextForAttempts(options, parts, this.lease), {
      log,
      changed: ring,
      shortage: (problem) => this.trouble.beginShortage(problem),
      begins: (lease) => this.registration.guard?.begins(lease),
      started: (lease, leader) => this.registration.guard?.started(lease, leader),
      ended: (lease) => this.registration.guard?.ended(lease),
    });
  }

  /** Resolves when the worker has left: stopped, or drained. */
  async run(): Promise<void> {
    const { store, tracing, passes } = this.parts;
    await tracing.open();
    await this.register();
    const stopListening = store.onWake(() => this.alarm.ring());
    const timers = [
      setInterval(() => this.lease.check(), this.lease.heartbeatMs),
      setInterval(() => this.slots.beat(), BEAT_MS),
    ];
    try {
      await Promise.race([this.work(), this.abandoned.promise]);
      this.log('left');
    } finally {
      this.done = true;
      stopListening();
      for (const timer of timers) clearInterval(timer);
      await this.lease.end();
      await passes?.close();
      await tracing.tracer?.end();
    }
  }

  private get lease(): LeaseClock {
    return this.registration.lease;
  }

  private async work(): Promise<void> {
    while (!this.done) {
      await this.turn();
      if (this.done) break;
      await this.alarm.next(() => this.sleepMs());
    }
    await Promise.all([this.choresEnded(), this.ticker.settled()]);
    // Jobs that it holds but does not run: it was cut off, or never received the answer of a turn.
    await this.rescue.requeueOwn();
  }

  /** A stopping worker starts no more chores, and does not wait for a slow one: other workers run them. */
  private async choresEnded(): Promise<void> {
    if (!this.stopping) return this.maintenance.settled();
    await Promise.race([this.maintenance.end(), sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
  }

  /**
   * graceful: waits for running jobs. force: stops and requeues them, within seconds. `isKnown` is true if the request
   * came from the store, so that it needs no announcement.
   */
  stop(mode: StopMode, isKnown = false): void {
    if (this.stopping === 'force' || this.stopping === mode) return;
    this.stopping = mode;
    if (!isKnown) this.registration.announceStop(mode);
    this.log(`stopping: ${mode === 'force' ? 'stopping and requeueing its jobs' : 'waiting for its jobs to finish'}`);
    if (mode === 'force') {
      this.slots.endAll('stopped');
      setTimeout(() => this.abandon(), this.parts.settings().ms('kill_grace') + LEAVE_WITHIN_MS).unref();
    }
    this.alarm.ring();
  }

  /** Exits at once without leaving a job running; other workers requeue its jobs. */
  async leaveNow(): Promise<void> {
    this.stop('force');
    await this.slots.killAll();
    this.abandon();
  }

  /** Kills running jobs without a grace period; the worker continues. */
  killJobs(): Promise<void> {
    return this.slots.killAll();
  }

  private abandon(): void {
    if (!this.done) this.log('exiting without a final report: the database does not respond');
    this.abandoned.resolve();
  }

  get runningCount(): number {
    return this.slots.count;
  }

  private async turn(): Promise<void> {
    let reports: Reports = NO_REPORTS;
    try {
      const isKnown = await this.registration.renewIfDue(this.trouble.notice ?? this.admission.notice);
      if (!isKnown) await this.startAfresh();
      this.registration.guardIfNeeded();
      this.maintenance.runDue((error) => this.log(`maintenance task failed: ${error.message}`));
      reports = this.slots.takeReports();
      const result = await this.parts.store.turn(this.request(reports));
      this.slots.reported(reports, result.settled);
      reports = NO_REPORTS;
      await this.startTaken(result);
      this.reachedAt = performance.now();
      this.trouble.pass();
      await this.obey(result);
      this.done = await this.isDone();
    } catch (error) {
      this.slots.restoreReports(reports);
      this.rescue.forgetSightings();
      this.trouble.begin((error as Error).message);
      this.giveUpIfIdle(error as QueueError);
    }
  }

  /**
   * Gives up if nothing runs and endings cannot be reported: the queue is gone, or was unreachable for a whole lease.
   */
  private giveUpIfIdle(error: QueueError): void {
    const isAway = this.stopping !== null && performance.now() - this.reachedAt > this.lease.leaseMs;
    if (this.slots.count === 0 && (error.code === 'store_gone' || isAway)) throw error;
  }

  private request(reports: Reports): Turn {
    const { own, live } = this.parts;
    const free = this.options.concurrency - this.slots.taken;
    return {
      ...reports,
      worker: own,
      want: this.stopping === null && this.admission.isOpen ? this.pace.limit(this.trouble.limit(free)) : 0,
      slots: this.options.concurrency,
      memory: this.admission.memoryBeside(this.slots.jobs),
      queues: this.options.queues,
      only: this.options.only,
      policy: live.current.backoff,
      maxConcurrentJobs: live.current.limit('max_concurrent_jobs'),
      settings: live.stored,
      logPath: this.logPath,
    };
  }

  private async startTaken({ settings, claimed }: TurnResult): Promise<void> {
    this.learn(settings);
    if (claimed.length > 0) this.trouble.endShortage();
    await this.pace.each(claimed, (one) => this.begin(one));
  }

  private async obey(result: TurnResult): Promise<void> {
    this.nextDueAt = result.nextDueAt;
    // A worker that is stopping, or that runs a single job, leaves schedules to others.
    const decidesTicks = this.stopping === null && this.options.only === undefined;
    this.ticker.update(decidesTicks ? result.nextTickAt : null, this.parts.store.now());
    for (const lease of result.cancelling) this.slots.end(lease, 'cancelled');
    for (const { seq, state } of result.settled) if (state === null) this.log(`lost the lease of job number ${seq}`);
    if (result.isOutdated) this.leaveToNewer();
    if (result.stopRequested) this.stop(result.stopRequested, true);
    if (result.more) this.alarm.ring();
    this.hasMoreEnds = false;
    if (result.hasEndings) await this.advanceDependents();
    if (!result.known) await this.startAfresh();
  }

  /** Handles a bounded number of endings, so that heartbeats and signals do not have to wait. */
  private async advanceDependents(): Promise<void> {
    const { told, more } = await this.parts.store.dependencies.advance(ENDS_AT_ONCE);
    this.hasMoreEnds = more;
    if (told > 0 || more) this.alarm.ring();
  }

  /** A job claimed while the worker was being stopped is not started. */
  private begin(claimed: Claimed): void {
    if (this.stopping === null && !this.done) this.slots.start(claimed);
    else this.slots.requeue(claimed, 'the worker was stopped');
  }

  private leaveToNewer(): void {
    this.isOutdated = true;
    if (this.stopping) return;
    this.log('the database was migrated by a newer queuectl: restart this worker with that version');
    this.stop('graceful');
  }

  /** This turn used the previous settings; if they have changed, another turn is needed. */
  private learn(stored: Stored): void {
    if (this.parts.live.update(stored)) this.alarm.ring();
  }

  private async register(): Promise<void> {
    this.learn(await this.parts.store.settings());
    await this.registration.register();
  }

  /** Called if other workers considered this one lost: stops and requeues all its jobs. */
  private async startAfresh(): Promise<void> {
    this.log('considered lost by other workers: stopping and requeueing its jobs');
    await this.slots.loseAll();
    await this.rescue.requeueOwn();
    await this.register();
    this.alarm.ring();
  }

  private async isDone(): Promise<boolean> {
    if (!this.slots.isIdle || this.ticker.isBusy) return false;
    if (this.stopping) return true;
    return !this.hasMoreEnds && isNothingLeft(this.parts.store, this.options);
  }

  /** Time until the next event. Polling is one of the events, so a lost wake-up only causes a delay. */
  private sleepMs(): number {
    if (this.trouble.pauseMs > 0) return Math.max(SHORTEST_SLEEP_MS, this.trouble.pauseMs);
    const now = this.parts.store.now();
    const untilDueMs = this.nextDueAt === null ? Number.POSITIVE_INFINITY : this.nextDueAt - now;
    const pollMs = this.parts.settings().ms('poll_interval');
    const untilMs = [this.ticker.untilDueMs(now), this.lease.untilRenewalMs, this.slots.untilStartReportMs];
    return Math.max(SHORTEST_SLEEP_MS, Math.min(untilDueMs, pollMs, ...untilMs));
  }
}
