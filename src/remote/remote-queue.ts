// A queue that is used through a server: what commands ask of a queue, as requests.

import { QueueError } from '../errors/errors.ts';
import { filterText } from '../filter/filter-text.ts';
import type { Intake, JobInput } from '../intake/intake.ts';
import type { Change } from '../job/change.ts';
import type { Variables } from '../job/environment/environment.ts';
import type { Rerun, RerunMode } from '../job/flow/rerun.ts';
import type { Edit } from '../job/input/edit.ts';
import { type EditInput, readEdit } from '../job/input/edit-input.ts';
import type { Attempt, Job, JobState } from '../job/job.ts';
import type { WaitingChange } from '../job/waiting-change.ts';
import type { ReadableOutput } from '../output/readable-output.ts';
import type { AnyQueue, Groups, Queues, Reports, Schedules, Transfers } from '../queue/interface.ts';
import type { ChangedMany, Progress } from '../queue/job-control.ts';
import {
  parseSetting,
  type SettingKey,
  Settings,
  type SettingValue,
  settingKey,
} from '../settings/settings.ts';
import type { Place } from '../store/location.ts';
import type {
  ErrorGroup,
  JobFilter,
  ListQuery,
  Overview,
  PruneQuery,
  RecordedDeed,
  StopMode,
} from '../store/store.ts';
import type { Zone } from '../time/when.ts';
import type { LeftWorker } from '../worker/control/stop.ts';
import { servingAmong, type WorkerView } from '../worker/control/view.ts';
import { attemptFrom, jobFrom, msOf, timeOf, workerFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { changeJobs, changeMany, idsToChange, prunable, prune, removeJobs } from './remote-changes.ts';
import { remoteGroups, remoteQueues } from './remote-groups.ts';
import { remoteIntake } from './remote-intake.ts';
import { jobsOf, listOf } from './remote-jobs.ts';
import { RemoteOutput } from './remote-output.ts';
import { remoteReports } from './remote-reports.ts';
import { remoteSchedules } from './remote-schedules.ts';
import { remoteTransfers } from './remote-transfers.ts';
import { requestStop, stopWorkers } from './remote-workers.ts';

const DEEDS_AT_ONCE = 1000;

export class RemoteQueue implements AnyQueue {
  readonly local = null;
  readonly spansHosts = true;
  readonly place: Place;
  readonly environment: NodeJS.ProcessEnv;
  readonly groups: Groups;
  readonly queues: Queues;
  readonly activity = { list: (limit: number) => this.deeds(limit) };
  readonly caller: RemoteCaller;
  private readonly cwd: string | null;
  private readonly planned = new WeakMap<Rerun, { targets: readonly string[]; mode: RerunMode }>();

  /** `cwd`: the directory of new jobs that name none, if this machine is that of the server; else null. */
  constructor(place: Place, caller: RemoteCaller, environment: NodeJS.ProcessEnv, cwd: string | null = null) {
    this.place = place;
    this.caller = caller;
    this.environment = environment;
    this.cwd = cwd;
    this.groups = remoteGroups(caller);
    this.queues = remoteQueues(caller);
  }

  async close(): Promise<void> {}
  async leave(): Promise<void> {}

  now(): number {
    return Date.now();
  }

  async intake(overrides: JobInput = {}, inherit?: boolean): Promise<Intake> {
    return remoteIntake(this.caller, overrides, inherit, this.cwd);
  }

  async find(id: string): Promise<Job> {
    return jobFrom(await this.caller.call('getJob', { id }));
  }

  async findAll(ids: readonly string[]): Promise<Job[]> {
    const found = new Map<string, Job>();
    for (const given of ids) {
      const job = await this.find(given);
      found.set(job.id, job);
    }
    return [...found.values()];
  }

  findCalled(idOrName: string): Promise<Job> {
    return this.find(idOrName);
  }

  async get(id: string): Promise<Job | null> {
    const job = await this.find(id).catch(ifNotFound);
    return job?.id === id ? job : null;
  }

  getAll(ids: readonly string[], filter: JobFilter = {}): Promise<Job[]> {
    return jobsOf(this.caller, ids, filter);
  }

  list(query: ListQuery): Promise<Job[]> {
    return listOf(this.caller, query);
  }

  async idsOf(query: ListQuery): Promise<string[]> {
    return (await this.list(query)).map(({ id }) => id);
  }

  async countOf(filter: JobFilter): Promise<number | null> {
    const { sort: _, descending: __, limit: ___, ...asked } = filter as Partial<ListQuery>;
    const { count, is_exact } = await this.caller.call('countJobs', {
      filter: filterText(asked, this.now()),
    });
    return is_exact ? count : null;
  }

  async history(id: string): Promise<Attempt[]> {
    return (await this.caller.call('listAttempts', { id })).attempts.map(attemptFrom);
  }

  async environmentOf(id: string): Promise<Variables | null> {
    return (await this.caller.call('getJob', { id })).environment;
  }

  outputOf({ id }: Job, attempt: Attempt): Promise<ReadableOutput> {
    return RemoteOutput.of(this.caller, id, attempt);
  }

  async overview(): Promise<Overview> {
    const { queues, nextRetryAt, nextRunAt } = await (await this.reports()).status();
    return { queues, nextRetryAt, nextDueAt: nextRunAt };
  }

  /** No operation lists them. */
  async namesInUse(): Promise<{ names: string[]; keys: string[] }> {
    return { names: [], keys: [] };
  }

  async errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]> {
    const wish = { filter: filterText(filter, this.now()), limit };
    return (await this.caller.call('listErrors', wish)).errors.map((error) => ({
      fingerprint: error.fingerprint,
      jobs: error.count,
      oldestAt: msOf(error.first_at),
      newestAt: msOf(error.last_at),
      exampleId: error.sample_id,
      exampleError: error.error,
    }));
  }

  async retry(ids: readonly string[], states?: readonly JobState[]): Promise<Job[]> {
    return changeJobs(this.caller, await this.findAll(ids), { kind: 'retry' }, states);
  }

  async cancel(ids: readonly string[]): Promise<Job[]> {
    return changeJobs(this.caller, await this.findAll(ids), { kind: 'cancel' });
  }

  async remove(ids: readonly string[]): Promise<Job[]> {
    return removeJobs(this.caller, await this.findAll(ids));
  }

  async change(ids: readonly string[], change: WaitingChange): Promise<Job[]> {
    return changeJobs(this.caller, await this.findAll(ids), change);
  }

  /** The working directory of this machine means nothing there, so a path has to be absolute. */
  readEdit(said: EditInput, _: string | null, zone: Zone): Edit {
    return readEdit(said, { now: this.now(), cwd: null, zone });
  }

  idsToChange(filter: JobFilter, change: Change): Promise<string[]> {
    return idsToChange(this.caller, filter, change);
  }

  changeMany(
    ids: readonly string[],
    filter: JobFilter,
    change: Change,
    progress: Progress = {},
  ): Promise<ChangedMany> {
    return changeMany(this.caller, ids, filter, change, progress);
  }

  prunable(query: PruneQuery): Promise<number> {
    return prunable(this.caller, query);
  }

  prune(query: PruneQuery, progress: Progress = {}): Promise<number> {
    return prune(this.caller, query, progress);
  }

  async planRerun(targets: readonly string[], mode: RerunMode): Promise<Rerun> {
    const plan = await this.caller.call('rerunJobs', {}, { targets, mode, dry_run: true });
    this.planned.set(plan, { targets, mode });
    return plan;
  }

  /** The server plans again by then. */
  async rerun(plan: Rerun): Promise<void> {
    await this.caller.call('rerunJobs', {}, this.planned.get(plan));
  }

  async workers(): Promise<WorkerView[]> {
    return (await this.caller.call('listWorkers', {})).workers.map(workerFrom);
  }

  async workersServing(queue: string): Promise<WorkerView[]> {
    return servingAmong(await this.workers(), queue);
  }

  requestStop(ids: readonly string[], mode: StopMode): Promise<void> {
    return requestStop(this.caller, ids, mode);
  }

  stopWorkers(...wish: Parameters<AnyQueue['stopWorkers']>): Promise<readonly LeftWorker[]> {
    return stopWorkers(this.caller, ...wish);
  }

  private async deeds(limit: number): Promise<RecordedDeed[]> {
    const found: RecordedDeed[] = [];
    for (let after: number | null | undefined; after !== null && found.length < limit; ) {
      const wish = { limit: Math.min(limit - found.length, DEEDS_AT_ONCE), after };
      const { activity, next } = await this.caller.call('listActivity', wish);
      found.push(...activity.map((deed) => ({ ...deed, at: timeOf(deed.at) })));
      after = next;
    }
    return found;
  }

  async settings(): Promise<Settings> {
    const { settings } = await this.caller.call('listSettings', {});
    const from = (source: string): Record<string, SettingValue> =>
      Object.fromEntries(
        settings.filter((one) => one.source === source).map(({ key, value }) => [key, value as SettingValue]),
      );
    return new Settings(from('stored'), from('environment'));
  }

  async setSetting(given: string, text: string): Promise<{ key: SettingKey; value: SettingValue }> {
    const [key, value] = [settingKey(given), parseSetting(given, text)];
    await this.caller.call('setSetting', { key }, { value });
    return { key, value };
  }

  async unsetSetting(given: string): Promise<SettingKey> {
    const key = settingKey(given);
    await this.caller.call('unsetSetting', { key });
    return key;
  }

  schedules = async (): Promise<Schedules> => remoteSchedules(this.caller);
  reports = async (): Promise<Reports> => remoteReports(this.caller);
  transfers = async (): Promise<Transfers> => remoteTransfers(this.caller);
}

function ifNotFound(error: unknown): null {
  if (error instanceof QueueError && error.code === 'job_not_found') return null;
  throw error;
}
