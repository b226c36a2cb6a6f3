// The library facade: everything that can be done with a queue, as the CLI and the HTTP server call it.

import { environmentOf, type Inheritance, isInherited, type NewEnvironment } from './job/environment.ts';
import { newJobId } from './job/id.ts';
import { type InputContext, parseJob } from './job/input.ts';
import type { Attempt, Job, JobState, NewJob } from './job/job.ts';
import { TRANSITIONS } from './job/lifecycle.ts';
import type { AttemptOutput } from './output/attempt-output.ts';
import { type Place, placeOf } from './place.ts';
import { randomBytes } from './random.ts';
import {
  parseSetting,
  type SettingKey,
  Settings,
  type SettingValue,
  type Stored,
  settingKey,
  settingsFromEnvironment,
} from './settings/settings.ts';
import { openStore } from './store/open.ts';
import type {
  JobFilter,
  ListQuery,
  Overview,
  PruneQuery,
  Staging,
  Store,
  WorkerRecord,
} from './store/store.ts';

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

export interface WorkerView extends WorkerRecord {
  /** lost: it died without a word, and nobody has noticed yet. */
  readonly state: 'idle' | 'busy' | 'stopping' | 'lost';
}

/** A job as a user wrote it, or part of one. */
export type JobInput = Readonly<Record<string, unknown>>;

/** One way in: the same settings and environment for all jobs that come through it. */
export interface Intake {
  read(raw: unknown): NewJob;
  /** All of them or none. */
  enqueue(jobs: readonly NewJob[]): Promise<Job[]>;
  /** For any number of jobs. */
  stage(): Promise<Staging>;
}

export class Queue {
  readonly place: Place;
  readonly store: Store;
  readonly environment: NodeJS.ProcessEnv;
  /** Settings that the environment overrides. */
  readonly overrides: Stored;
  private readonly cwd: string | null;
  private readonly shellEnvironment: NodeJS.ProcessEnv | null;

  private constructor(place: Place, store: Store, overrides: Stored, options: QueueOptions) {
    this.place = place;
    this.store = store;
    this.environment = options.environment ?? process.env;
    this.overrides = overrides;
    this.cwd = options.cwd ?? null;
    this.shellEnvironment = options.shellEnvironment ?? null;
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

  /** Checks jobs as a user wrote them, and stores them. `overrides` win over what each says itself. */
  async intake(overrides: JobInput = {}, inherit?: boolean): Promise<Intake> {
    const settings = await this.settings();
    const context: Omit<InputContext, 'now'> = {
      zone: 'local',
      newId: () => newJobId(randomBytes),
      cwd: this.cwd,
      defaults: { maxRetries: settings.number('max_retries'), timeoutSeconds: settings.limit('job_timeout') },
    };
    const environment = this.environmentFor(settings, inherit);
    return {
      read: (raw) => parseJob(raw, overrides, { ...context, now: this.store.now() }),
      enqueue: (jobs) => this.store.enqueue(jobs, environment),
      stage: () => this.store.stage(environment),
    };
  }

  /** All of them or none. `inherit` wins over the setting. */
  async enqueue(raws: readonly unknown[], overrides: JobInput = {}, inherit?: boolean): Promise<Job[]> {
    const { read, enqueue } = await this.intake(overrides, inherit);
    return enqueue(raws.map(read));
  }

  /** null: new jobs run with the environment of their worker. */
  private environmentFor(settings: Settings, inherit?: boolean): NewEnvironment | null {
    if (this.shellEnvironment === null) return null;
    const setting = settings.value('inherit_environment') as Inheritance;
    const isWanted = inherit ?? isInherited(setting, this.store.spansHosts);
    return isWanted ? environmentOf(this.shellEnvironment) : null;
  }

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

  list(query: ListQuery): Promise<Job[]> {
    return this.store.list(query);
  }

  history(id: string): Promise<Attempt[]> {
    return this.store.history(id);
  }

  /** What an attempt wrote, wherever it ran. */
  async outputOf(job: Job, attempt: Attempt): Promise<AttemptOutput> {
    const { AttemptOutput } = await import('./output/attempt-output.ts');
    return new AttemptOutput(this.store, job.id, attempt);
  }

  overview(): Promise<Overview> {
    return this.store.overview();
  }

  async workers(): Promise<WorkerView[]> {
    const records = await this.store.workers();
    if (records.length === 0) return [];
    const { fateOf, ownIdentity } = await import('./process/identity.ts');
    const own = { ...ownIdentity(this.environment), storeId: this.store.id };
    return records.map((worker) => {
      const fate = fateOf(worker, own);
      const isSilent = fate === 'unknown' && this.store.now() - worker.lastHeartbeat > worker.leaseMs;
      const isLost = fate === 'dead' || isSilent || worker.condemnedAt !== null;
      return { ...worker, state: isLost ? 'lost' : activity(worker) };
    });
  }

  /** Workers that would take a job of this queue. */
  async workersServing(queue: string): Promise<WorkerView[]> {
    const all = await this.workers();
    return all.filter(
      ({ state, queues, onlyJob }) =>
        state !== 'lost' && state !== 'stopping' && onlyJob === null && (queues?.includes(queue) ?? true),
    );
  }

  /** Runs again now, attempts from 0. `states` narrows what may be retried. */
  async retry(
    idsOrPrefixes: readonly string[],
    states: readonly JobState[] = TRANSITIONS.retry.from,
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

function activity(worker: WorkerRecord): WorkerView['state'] {
  if (worker.stopRequested) return 'stopping';
  return worker.running.length > 0 ? 'busy' : 'idle';
}
