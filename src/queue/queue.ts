// The library facade: all operations on a queue, as used by the CLI and the HTTP server.

import { existsSync } from 'node:fs';
import type { QueueAccounts } from '../access/accounts.ts';
import type { EnqueuedOnce, OnceRequest } from '../intake/enqueue-once.ts';
import { QueueGroups } from './groups.ts';
import type { AnyQueue, Reports, Transfers } from './interface.ts';
import { type Intake, intakeOf, type JobInput, type Origin } from '../intake/intake.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { NewJobFields, NewJobInput } from '../job/input/new-job-input.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';
import { type TraceContext, withTrace } from '../job/environment/trace-context.ts';
import { JobControl, type Progress, removeFiles } from './job-control.ts';
import type { Rerun, RerunMode } from '../job/flow/rerun.ts';
import { NamedQueues } from './named-queues.ts';
import { type Place, placeOf } from '../store/location.ts';
import {
  parseSetting,
  type SettingKey,
  Settings,
  type SettingValue,
  type Stored,
  settingKey,
  settingsFromEnvironment,
} from '../settings/settings.ts';
import type { Bucket, Step } from '../series/fold.ts';
import { checkSetting } from '../intake/setting-check.ts';
import { openStore } from '../store/open.ts';
import type { ActivityLog, Figures, PruneQuery, StopMode, Store } from '../store/store.ts';
import type { QueueRecipes } from './recipes.ts';
import type { QueueSchedules } from './schedules.ts';
import type { QueueSecrets } from '../secrets/secrets.ts';
import type { LeftWorker } from '../worker/control/stop.ts';
import type { WorkerView } from '../worker/control/view.ts';

export type { Intake, JobInput } from '../intake/intake.ts';
export type { NewJobInput } from '../job/input/new-job-input.ts';
export type { QueueChange } from '../store/store.ts';
export type { WorkerView } from '../worker/control/view.ts';

export interface QueueOptions {
  /** File path or postgres:// address. Default: from the environment, else in the user's data directory. */
  readonly db?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** Working directory for new jobs that name none. */
  readonly cwd?: string | null;
  /** Shell environment to store with new jobs. Default: none. */
  readonly shellEnvironment?: NodeJS.ProcessEnv | null;
  readonly patienceMs?: number;
  /** Enqueuer. Default: a user of this machine. */
  readonly who?: Enqueuer | null;
  /**
   * If false, a missing queue is not created: the default queue opens empty, and a named one throws queue_not_found.
   */
  readonly create?: boolean;
}

/** In-memory database for commands that only read. */
const IN_MEMORY = ':memory:';

export const isMissingDefault = ({ isNamed, file }: Place): boolean => !isNamed && file !== null && !existsSync(file);

export class Queue extends JobControl implements AnyQueue {
  readonly place: Place;
  readonly environment: NodeJS.ProcessEnv;
  /** Settings overridden by the environment. */
  readonly overrides: Stored;
  readonly groups: QueueGroups;
  readonly queues: NamedQueues;
  private readonly origin: Origin;
  private readonly options: QueueOptions;

  protected constructor(place: Place, store: Store, overrides: Stored, options: QueueOptions) {
    super(store, options.who ?? null);
    this.options = options;
    this.place = place;
    this.environment = options.environment ?? process.env;
    this.overrides = overrides;
    this.groups = new QueueGroups(this);
    const { cwd = null, shellEnvironment = null, who = null } = options;
    this.queues = new NamedQueues(store, who);
    this.origin = { cwd, shellEnvironment, who };
  }

  static async open(options: QueueOptions = {}): Promise<Queue> {
    const environment = options.environment ?? process.env;
    const place = placeOf(options.db, environment);
    const overrides = settingsFromEnvironment(environment);
    const { patienceMs, create } = options;
    const isEmpty = create === false && isMissingDefault(place);
    const store = await openStore(isEmpty ? { ...place, file: IN_MEMORY } : place, {
      environment,
      patienceMs,
      create: isEmpty || create,
    });
    return new Queue(place, store, overrides, options);
  }

  /** Returns the same queue for another enqueuer. */
  as(who: Enqueuer): Queue {
    return new Queue(this.place, this.store, this.overrides, { ...this.options, who });
  }

  get local(): Queue {
    return this;
  }

  close(): Promise<void> {
    return this.store.close();
  }

  leave(): Promise<void> {
    return this.store.leave();
  }

  /** Identifies this queue among all that can be reached from this host, including copies. */
  get id(): string {
    return this.store.id;
  }

  get spansHosts(): boolean {
    return this.store.spansHosts;
  }

  now(): number {
    return this.store.now();
  }

  /**
   * Calls `listener` after changes that give workers something to do. Events may be lost. Returns a function that
   * unsubscribes.
   */
  onWake(listener: () => void): () => void {
    return this.store.onWake(listener);
  }

  /** Changes whenever anything in the queue changes. Cheap enough to poll. */
  changeMark(): Promise<string> {
    return this.store.changeMark();
  }

  /** Returns one sentence for each problem of the database. */
  check(): Promise<string[]> {
    return this.store.check();
  }

  async intake(overrides: JobInput = {}, inherit?: boolean): Promise<Intake> {
    return intakeOf(this.store, await this.settings(), this.origin, overrides, inherit);
  }

  /** Stores all jobs or none. `overrides` take precedence over the jobs' fields, `inherit` over the setting. */
  async enqueue(jobs: readonly NewJobInput[], overrides: NewJobFields = {}, inherit?: boolean): Promise<Job[]> {
    const { read, enqueue } = await this.intake({ ...overrides }, inherit);
    return enqueue(jobs.map(read));
  }

  /**
   * Enqueues once per idempotency key. Throws idempotency_key_reused, or idempotency_key_busy during another request.
   * For remote clients: stores no shell environment and uses the client's trace.
   */
  async enqueueOnce(request: OnceRequest, jobs: readonly JobInput[], trace: TraceContext): Promise<EnqueuedOnce> {
    const [{ enqueueOnce }, { createHash }] = await Promise.all([
      import('../intake/enqueue-once.ts'),
      import('node:crypto'),
    ]);
    const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
    const intake = await this.intake({}, false);
    const read = (raw: unknown): NewJob => withTrace(intake.read(raw), trace);
    return enqueueOnce(this.store, { ...intake, read }, request, jobs, digest);
  }

  /** Reads every attempt, so avoid tight loops. */
  figures(): Promise<Figures> {
    return this.store.figures();
  }

  /** Returns buckets of this step that begin in [from, to), oldest first. EVERY_QUEUE sums up all queues. */
  series(step: Step, name: string, from: number, to: number): Promise<Bucket[]> {
    return this.store.series.between(step, name, from, to);
  }

  /** Lifetime totals by queue and for EVERY_QUEUE. Only a reset decreases them. */
  totals(): Promise<Bucket[]> {
    return this.store.series.totals();
  }

  /** Size of the database, without its write-ahead log. */
  databaseBytes(): Promise<number> {
    return this.store.databaseBytes();
  }

  async workers(): Promise<WorkerView[]> {
    const records = await this.store.workers();
    if (records.length === 0) return [];
    const [{ ownIdentity }, { viewOf }] = await Promise.all([
      import('../process/tree/identity.ts'),
      import('../worker/control/view.ts'),
    ]);
    const own = { ...ownIdentity(this.environment), storeId: this.store.id };
    return records.map((worker) => viewOf(worker, own, this.store.now()));
  }

  async workersServing(queue: string): Promise<WorkerView[]> {
    const { servingAmong } = await import('../worker/control/view.ts');
    return servingAmong(await this.workers(), queue);
  }

  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void> {
    return this.store.requestStop(workerIds, mode);
  }

  async planRerun(targets: readonly string[], mode: RerunMode): Promise<Rerun> {
    const { rerunOf } = await import('./rerun.ts');
    const ids = targets.map(async (target) => (target.startsWith('group:') ? target : (await this.find(target)).id));
    return rerunOf(this.store, await Promise.all(ids), mode);
  }

  async rerun(rerun: Rerun): Promise<void> {
    const again = [...rerun.retry, ...rerun.block];
    await this.changeCheck.expectAll({ kind: 'retry' }, async () => {
      const { jobsOf } = await import('./rerun.ts');
      return jobsOf(this.store, again);
    });
    await this.store.rerun(rerun);
  }

  async stopWorkers(...wish: Parameters<AnyQueue['stopWorkers']>): Promise<readonly LeftWorker[]> {
    const { stopWorkers } = await import('../worker/control/stop.ts');
    return stopWorkers(this, ...wish);
  }

  async reports(): Promise<Reports> {
    const { reportsOf } = await import('../report/reports.ts');
    return reportsOf(this);
  }

  async transfers(): Promise<Transfers> {
    const { transfersOf } = await import('../transfer/transfers.ts');
    return transfersOf(this);
  }

  async accounts(): Promise<QueueAccounts> {
    const { QueueAccounts } = await import('../access/accounts.ts');
    return new QueueAccounts(this.store);
  }

  async recipes(): Promise<QueueRecipes> {
    const { QueueRecipes } = await import('./recipes.ts');
    return new QueueRecipes(this.store);
  }

  async secrets(): Promise<QueueSecrets> {
    const { QueueSecrets } = await import('../secrets/secrets.ts');
    return new QueueSecrets(this.store, this.place, this.environment);
  }

  get activity(): ActivityLog {
    return this.store.activity;
  }

  async schedules(): Promise<QueueSchedules> {
    const { QueueSchedules } = await import('./schedules.ts');
    return new QueueSchedules(this.store, () => this.settings(), this.origin.who);
  }

  prunable(query: PruneQuery): Promise<number> {
    return this.store.prunable(query);
  }

  async prune(query: PruneQuery, progress: Progress = {}): Promise<number> {
    const { pruneAll } = await import('../maintenance/prune.ts');
    return pruneAll(this.store, query, progress);
  }

  async reset(): Promise<number> {
    const { jobs, logPaths } = await this.store.reset();
    await removeFiles(logPaths);
    return jobs;
  }

  async settings(): Promise<Settings> {
    return new Settings(await this.store.settings(), this.overrides);
  }

  async setSetting(key: string, text: string): Promise<{ key: SettingKey; value: SettingValue }> {
    const setting = { key: settingKey(key), value: parseSetting(key, text) };
    await checkSetting(this.store, setting.key, setting.value, this.origin.who);
    await this.store.saveSetting(setting.key, setting.value);
    return setting;
  }

  async unsetSetting(key: string): Promise<SettingKey> {
    const known = settingKey(key);
    await this.store.saveSetting(known, undefined);
    return known;
  }
}
