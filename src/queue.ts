// The library facade: everything that can be done with a queue, as the CLI and the HTTP server call it.

import { type Intake, intakeOf, type JobInput, type Origin } from './intake.ts';
import type { Variables } from './job/environment.ts';
import type { Attempt, Job, JobState } from './job/job.ts';
import type { NewJobFields, NewJobInput } from './job/new-job-input.ts';
import { RETRYABLE_STATES } from './job/state-sets.ts';
import type { AttemptOutput } from './output/attempt-output.ts';
import { type Place, placeOf } from './place.ts';
import {
  parseSetting,
  type SettingKey,
  Settings,
  type SettingValue,
  type Stored,
  settingKey,
  settingsFromEnvironment,
} from './settings/settings.ts';
import { isAmong, isCounted } from './store/job-filter.ts';
import { openStore } from './store/open.ts';
import type { Figures, JobFilter, ListQuery, Overview, PruneQuery, StopMode, Store } from './store/store.ts';
import type { WorkerView } from './worker/view.ts';

export type { Intake, JobInput } from './intake.ts';
export type { NewJobInput } from './job/new-job-input.ts';
export type { WorkerView } from './worker/view.ts';

export interface QueueOptions {
  /** A file path or a postgres:// address; default: from the environment, else the user's data folder. */
  readonly db?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** Recorded as the working directory of new jobs that name none. */
  readonly cwd?: string | null;
  /** The environment of the shell at hand, kept for new jobs to run with. Default: none. */
  readonly shellEnvironment?: NodeJS.ProcessEnv | null;
  readonly patienceMs?: number;
  /** false: where there is no queue, none is made. For servers; a file is made by whoever opens it. */
  readonly create?: boolean;
}

export class Queue {
  readonly place: Place;
  /** For workers, maintenance and moves. Commands and reports use the methods below, which scripts/directions.ts checks. */
  readonly store: Store;
  readonly environment: NodeJS.ProcessEnv;
  /** Settings that the environment overrides. */
  readonly overrides: Stored;
  private readonly origin: Origin;

  private constructor(place: Place, store: Store, overrides: Stored, options: QueueOptions) {
    this.place = place;
    this.store = store;
    this.environment = options.environment ?? process.env;
    this.overrides = overrides;
    this.origin = { cwd: options.cwd ?? null, shellEnvironment: options.shellEnvironment ?? null };
  }

  static async open(options: QueueOptions = {}): Promise<Queue> {
    const environment = options.environment ?? process.env;
    const place = placeOf(options.db, environment);
    const overrides = settingsFromEnvironment(environment);
    const { patienceMs, create } = options;
    const store = await openStore(place, { environment, patienceMs, create });
    return new Queue(place, store, overrides, options);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** Instead of close(), for a process that is about to exit: does only what would otherwise cost the next one more. */
  leave(): Promise<void> {
    return this.store.leave();
  }

  /** Tells this queue from every other one that can be reached from this host, copies of it included. */
  get id(): string {
    return this.store.id;
  }

  /** Whether workers of several hosts share it. */
  get spansHosts(): boolean {
    return this.store.spansHosts;
  }

  /** The clock by which jobs become due. */
  now(): number {
    return this.store.now();
  }

  /** What is wrong with the store itself, a sentence each. */
  check(): Promise<string[]> {
    return this.store.check();
  }

  /** Checks jobs as a user wrote them, and stores them. `overrides` win over what each says itself. */
  async intake(overrides: JobInput = {}, inherit?: boolean): Promise<Intake> {
    return intakeOf(this.store, await this.settings(), this.origin, overrides, inherit);
  }

  /** All of them or none. `overrides` win over what each says itself, `inherit` over the setting. */
  async enqueue(
    jobs: readonly NewJobInput[],
    overrides: NewJobFields = {},
    inherit?: boolean,
  ): Promise<Job[]> {
    const { read, enqueue } = await this.intake({ ...overrides }, inherit);
    return enqueue(jobs.map(read));
  }

  /** The job with this id, or the only one whose id starts with it; else job_not_found or ambiguous_id. */
  find(idOrPrefix: string): Promise<Job> {
    return this.store.find(idOrPrefix);
  }

  /** In the order given, a job named twice once. */
  async findAll(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const found = new Map<string, Job>();
    for (const given of idsOrPrefixes) {
      const job = await this.store.find(given);
      found.set(job.id, job);
    }
    return [...found.values()];
  }

  /** By its whole id. */
  get(id: string): Promise<Job | null> {
    return this.store.get(id);
  }

  /** In the order of the ids; those that are gone or do not match (any more) are left out. */
  getAll(ids: readonly string[], filter: JobFilter = {}): Promise<Job[]> {
    return this.store.getAll(ids, filter);
  }

  list(query: ListQuery): Promise<Job[]> {
    return this.store.list(query);
  }

  /** The ids that list() would answer, in its order: the way to read more jobs than fit into memory. */
  idsOf(query: ListQuery): Promise<string[]> {
    return this.store.idsOf(query);
  }

  /** How many jobs match, from the counters. null: they do not have this filter, and a count would take long. */
  async countOf(filter: JobFilter): Promise<number | null> {
    if (!isCounted(filter)) return null;
    const { queues } = await this.overview();
    const counters = queues.flatMap(({ queue, counts }) =>
      Object.entries(counts).map(([state, n]) => ({ queue, state, n })),
    );
    return counters.filter((counter) => isAmong(filter, counter)).reduce((sum, { n }) => sum + n, 0);
  }

  history(id: string): Promise<Attempt[]> {
    return this.store.history(id);
  }

  /** The environment that a job inherited from the shell it was enqueued in. null: it runs with that of its worker. */
  environmentOf(jobId: string): Promise<Variables | null> {
    return this.store.environments.ofJob(jobId);
  }

  /** What an attempt wrote, wherever it ran. */
  async outputOf(job: Job, attempt: Attempt): Promise<AttemptOutput> {
    const { AttemptOutput } = await import('./output/attempt-output.ts');
    return new AttemptOutput(this.store, job.id, attempt);
  }

  /** Costs the same whatever the number of jobs. */
  overview(): Promise<Overview> {
    return this.store.overview();
  }

  /** Looks at every attempt, so it is not for a tight loop. */
  figures(): Promise<Figures> {
    return this.store.figures();
  }

  async workers(): Promise<WorkerView[]> {
    const records = await this.store.workers();
    if (records.length === 0) return [];
    const [{ ownIdentity }, { viewOf }] = await Promise.all([
      import('./process/identity.ts'),
      import('./worker/view.ts'),
    ]);
    const own = { ...ownIdentity(this.environment), storeId: this.store.id };
    return records.map((worker) => viewOf(worker, own, this.store.now()));
  }

  /** Workers that would take a job of this queue. */
  async workersServing(queue: string): Promise<WorkerView[]> {
    const all = await this.workers();
    return all.filter(
      ({ state, queues, onlyJob }) =>
        state !== 'lost' && state !== 'stopping' && onlyJob === null && (queues?.includes(queue) ?? true),
    );
  }

  /** Asks workers to stop and returns at once. A wish for force stays one. */
  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void> {
    return this.store.requestStop(workerIds, mode);
  }

  /** Runs again now, attempts from 0. `states` narrows what may be retried. */
  async retry(
    idsOrPrefixes: readonly string[],
    states: readonly JobState[] = RETRYABLE_STATES,
  ): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    return this.store.retry(
      jobs.map(({ id }) => id),
      states,
    );
  }

  retryAll(filter: JobFilter): Promise<number> {
    return this.store.retryAll(filter);
  }

  /** Running jobs are asked to end; their state follows when their worker has ended them. */
  async cancel(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    return this.store.cancel(jobs.map(({ id }) => id));
  }

  /** Removes jobs with their history and logs; answers what they were. */
  async remove(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await removeFiles((await this.store.remove(jobs.map(({ id }) => id))).logPaths);
    return jobs;
  }

  /** How many jobs prune() would remove. */
  prunable(query: PruneQuery): Promise<number> {
    return this.store.prunable(query);
  }

  async prune(query: PruneQuery, progress: (jobs: number) => void = () => {}): Promise<number> {
    const { pruneAll } = await import('./maintenance/prune.ts');
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

  /** Answers the key that was meant and the value as it was understood. */
  async setSetting(key: string, text: string): Promise<{ key: SettingKey; value: SettingValue }> {
    const setting = { key: settingKey(key), value: parseSetting(key, text) };
    await this.store.saveSetting(setting.key, setting.value);
    return setting;
  }

  async unsetSetting(key: string): Promise<SettingKey> {
    const known = settingKey(key);
    await this.store.saveSetting(known, undefined);
    return known;
  }
}

/** Loaded when needed, as most commands remove nothing. */
async function removeFiles(logPaths: readonly string[]): Promise<void> {
  const { removeLogs } = await import('./process/log-file.ts');
  removeLogs(logPaths);
}
