// A worker: takes turns with the store until it is told to stop. Each turn reports what ended and takes what fits.
// Turns never overlap; whatever happens (an exit, a wake-up, a timer, a signal) only rings for another turn.

import { isDeepStrictEqual } from 'node:util';
import type { QueueError } from '../errors.ts';
import { isFinal } from '../job/job.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Place } from '../place.ts';
import type { ProcessIdentity } from '../process/identity.ts';
import type { Pipes } from '../process/pipe.ts';
import type { Starter } from '../process/start.ts';
import { Settings, type Stored } from '../settings/settings.ts';
import type { StopMode, Store, Turn, TurnResult, WorkerIdentity } from '../store/store.ts';
import { Alarm } from './alarm.ts';
import { Mirror } from './mirror.ts';
import { logPathsFor } from './paths.ts';
import { type Reports, Slots } from './slots.ts';
import { Tenure } from './tenure.ts';

export interface WorkerOptions {
  readonly id: string;
  /** null serves every queue. */
  readonly queues: readonly string[] | null;
  readonly concurrency: number;
  /** Leave when nothing is left to do. */
  readonly drain: boolean;
  /** Run just this job, until it is final. */
  readonly only?: string;
  /** Handed all output as it comes; it is only lent. */
  readonly watch?: (data: Buffer) => void;
  /** Tells what happens, a line each. */
  readonly log: (line: string) => void;
  /** Arguments that make this program a guard; without them nobody ends the jobs of a worker that is killed. */
  readonly guard?: readonly string[];
}

export interface WorkerParts {
  readonly store: Store;
  readonly place: Place;
  readonly identity: ProcessIdentity;
  /** Settings from the environment: they win over stored ones. */
  readonly overrides: Stored;
  /** What jobs inherit. */
  readonly environment: NodeJS.ProcessEnv;
  readonly starter: Starter;
  readonly pipes: Pipes;
  readonly maintenance: (
    own: WorkerIdentity,
    settings: () => Settings,
    log: (line: string) => void,
  ) => Maintenance;
}

const AFTER_TROUBLE_MS = 1000;
const COPY_LOGS_MS = 1000;

export class Worker {
  private readonly options: WorkerOptions;
  private readonly parts: WorkerParts;
  private readonly own: WorkerIdentity;
  private readonly slots: Slots;
  private readonly logPath: Turn['logPath'];
  private readonly maintenance: Maintenance;
  private readonly tenure: Tenure;
  private readonly alarm = new Alarm();
  private settings: Settings;
  private stored: Stored = {};
  private stopping: StopMode | null = null;
  private notice: string | null = null;
  private troubledUntil = 0;
  private isShort = false;
  private nextDueAt: number | null = null;
  private done = false;

  constructor(options: WorkerOptions, parts: WorkerParts) {
    const settings = (): Settings => this.settings;
    const log = (line: string): void => options.log(`${options.id}  ${line}`);
    this.options = options;
    this.parts = parts;
    this.own = { id: options.id, ...parts.identity };
    this.settings = new Settings({}, parts.overrides);
    this.logPath = logPathsFor(parts.place, options.id);
    this.maintenance = parts.maintenance(this.own, settings, log);
    this.tenure = new Tenure(settings, parts.store.spansHosts ? (graceMs) => this.letGo(graceMs) : null);
    this.slots = new Slots(
      {
        workerId: options.id,
        db: parts.place.db,
        environment: parts.environment,
        settings,
        now: parts.store.now,
        notAfterMs: () => this.tenure.sureUntilMs,
        starter: parts.starter,
        pipes: parts.pipes,
        watch: options.watch,
        mirror: parts.store.spansHosts ? new Mirror(parts.store.outputs) : null,
      },
      {
        log,
        changed: () => this.alarm.ring(),
        shortage: (problem) => this.runShort(problem),
        begins: (jobId) => this.tenure.guard?.begins(jobId),
        ended: (jobId) => this.tenure.guard?.ended(jobId),
      },
    );
  }

  /** Resolves when the worker has left: stopped, or drained. */
  async run(): Promise<void> {
    await this.register();
    this.tenure.post(this.options.guard ?? [], this.own.id);
    const stopListening = this.parts.store.onWake(() => this.alarm.ring());
    const timers: NodeJS.Timeout[] = [];
    if (this.parts.store.spansHosts) timers.push(setInterval(() => this.slots.copyLogs(), COPY_LOGS_MS));
    try {
      for (;;) {
        await this.turn();
        if (this.done) break;
        await this.alarm.next(this.sleepMs());
      }
      await this.maintenance.settled();
      // What it holds and does not run goes to others: jobs it had to end while cut off, or was handed without hearing of it.
      await this.parts.store.rescue(this.own.id, this.settings.backoff);
      this.log('left');
    } finally {
      stopListening();
      for (const timer of timers) clearInterval(timer);
      await this.tenure.end();
    }
  }

  /** graceful: running jobs finish. force: they are ended and put back. */
  stop(mode: StopMode): void {
    if (this.stopping === 'force' || this.stopping === mode) return;
    this.stopping = mode;
    this.log(
      mode === 'force' ? 'stopping: its jobs are ended and put back' : 'stopping: its jobs finish first',
    );
    if (mode === 'force') this.slots.endAll('released');
    this.alarm.ring();
  }

  get runningCount(): number {
    return this.slots.count;
  }

  private async turn(): Promise<void> {
    let reports: Reports = { started: [], ended: [] };
    try {
      await this.renewIfDue();
      this.maintenance.runDue((error) => this.log(`chore failed: ${error.message}`));
      reports = this.slots.takeReports();
      const result = await this.parts.store.turn(this.request(reports));
      this.slots.reported(reports);
      reports = { started: [], ended: [] };
      if (performance.now() >= this.troubledUntil) this.notice = null;
      await this.obey(result);
      this.done = await this.isDone();
    } catch (error) {
      this.slots.giveBack(reports);
      this.degrade((error as Error).message);
      if ((error as QueueError).code === 'store_gone') this.giveUp(error as QueueError);
    }
  }

  /** There is no queue any more that could be told how its jobs end: they finish, and the worker leaves. */
  private giveUp(error: QueueError): void {
    if (this.slots.count === 0) throw error;
  }

  private request(reports: Reports): Turn {
    const isReady = this.stopping === null && performance.now() >= this.troubledUntil;
    const free = this.options.concurrency - this.slots.count;
    return {
      ...reports,
      worker: this.own,
      want: isReady ? Math.min(free, this.isShort ? 1 : free) : 0,
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
    if (result.claimed.length > 0) this.isShort = false; // unless one of these says otherwise
    for (const claimed of result.claimed) this.slots.start(claimed);
    for (const { seq, state } of result.settled)
      if (state === null) this.log(`lost its lease on job number ${seq}`);
    if (result.isOutdated) this.leaveToNewer();
    if (result.stopRequested) this.stop(result.stopRequested);
    if (result.more) this.alarm.ring();
    if (!result.known) await this.startAfresh();
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
    const { queues, concurrency } = this.options;
    this.learn(await this.parts.store.settings());
    this.tenure.renewed(performance.now());
    await this.parts.store.registerWorker({ ...this.own, queues, concurrency });
    this.log(
      `ready: pid ${this.own.pid}, ${concurrency} at once, ${queues ? `queues ${queues.join(', ')}` : 'all queues'}`,
    );
  }

  private async renewIfDue(): Promise<void> {
    if (this.tenure.untilRenewalMs > 0) return;
    const renewedAt = performance.now();
    const leases = await this.parts.store.renew(this.own.id, this.notice);
    this.tenure.renewed(renewedAt);
    if (leases === null) await this.startAfresh();
    else this.slots.reconcile(leases);
  }

  private letGo(graceMs: number): void {
    if (this.slots.count === 0) return;
    this.log('cannot reach the queue: its jobs are ended before others run them');
    this.slots.endAll('lost', graceMs);
  }

  /** Others took this worker for dead: what it ran is theirs now. */
  private async startAfresh(): Promise<void> {
    this.log('was taken for dead: its jobs belong to others now and are ended here');
    this.slots.loseAll();
    await this.register();
    this.alarm.ring();
  }

  /** Something that a start needs is not to be had: until one succeeds, jobs are tried one at a time. */
  private runShort(problem: string): void {
    this.isShort = true;
    this.degrade(problem);
  }

  /** Something is wrong that may pass: running jobs go on, what ended is kept, nothing new is taken for a moment. */
  private degrade(problem: string): void {
    if (this.notice !== problem) this.log(`degraded: ${problem}`);
    this.notice = problem;
    this.troubledUntil = performance.now() + AFTER_TROUBLE_MS;
  }

  private async isDone(): Promise<boolean> {
    if (!this.slots.isIdle) return false;
    if (this.stopping) return true;
    if (this.options.only !== undefined) return this.isSettled(this.options.only);
    return this.options.drain && this.isDrained();
  }

  private async isSettled(id: string): Promise<boolean> {
    const job = await this.parts.store.get(id);
    return job === null || isFinal(job.state);
  }

  private async isDrained(): Promise<boolean> {
    const { queues } = await this.parts.store.overview();
    return queues
      .filter(({ queue }) => this.options.queues?.includes(queue) ?? true)
      .every(({ counts }) => counts.pending + counts.failed + counts.processing === 0);
  }

  /** Until something is known to be due; the poll beneath it forgives a lost wake-up. */
  private sleepMs(): number {
    const trouble = this.troubledUntil - performance.now();
    if (trouble > 0) return trouble;
    const untilDue =
      this.nextDueAt === null ? Number.POSITIVE_INFINITY : this.nextDueAt - this.parts.store.now();
    const { untilRenewalMs } = this.tenure;
    const { untilStartReportMs } = this.slots;
    const poll = this.settings.ms('poll_interval');
    return Math.max(0, Math.min(poll, untilDue, untilRenewalMs, untilStartReportMs));
  }

  private log(line: string): void {
    this.options.log(`${this.own.id}  ${line}`);
  }
}
