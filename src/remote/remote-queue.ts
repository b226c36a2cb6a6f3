// A queue that is used through a server: what commands ask of a queue, as requests. What it does not have, a server cannot
// do, and src/remote/no-store.ts says so.

import { QueueError } from '../errors/errors.ts';
import { filterText } from '../filter/filter-text.ts';
import type { Intake, JobInput } from '../intake/intake.ts';
import type { Change } from '../job/change.ts';
import type { Edit } from '../job/input/edit.ts';
import { type EditInput, readEdit } from '../job/input/edit-input.ts';
import type { Variables } from '../job/environment/environment.ts';
import type { Attempt, Job, JobState } from '../job/job.ts';
import type { Rerun, RerunMode } from '../job/flow/rerun.ts';
import type { WaitingChange } from '../job/waiting-change.ts';
import type { ChangedMany, Progress } from '../queue/job-control.ts';
import type * as data from '../library/data.ts';
import { jobPath } from '../library/caller.ts';
import type { AttemptOutput } from '../output/attempt-output.ts';
import type { Place } from '../store/location.ts';
import { Queue, type WorkerView } from '../queue/queue.ts';
import type { RemoteReports } from '../report/remote.ts';
import type { QueueAccounts } from '../access/accounts.ts';
import type { QueueRecipes } from '../queue/recipes.ts';
import type { QueueSchedules } from '../queue/schedules.ts';
import type { QueueSecrets } from '../secrets/secrets.ts';
import {
  parseSetting,
  type SettingKey,
  Settings,
  type SettingValue,
  settingKey,
} from '../settings/settings.ts';
import type {
  ActivityLog,
  ErrorGroup,
  JobFilter,
  ListQuery,
  Overview,
  PruneQuery,
  StopMode,
  Store,
} from '../store/store.ts';
import type { Zone } from '../time/when.ts';
import type { RemoteTransfers } from '../transfer/remote.ts';
import type { StopsElsewhere } from '../worker/control/stop.ts';
import { attemptFrom, jobFrom, msOf, statusFrom, workerFrom } from './from-wire.ts';
import { RemoteAccounts, remoteActivity } from './remote-accounts.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { changeJobs, changeMany, idsToChange, prunable, prune, removeJobs } from './remote-changes.ts';
import { RemoteGroups, RemoteQueues } from './remote-groups.ts';
import { remoteIntake } from './remote-intake.ts';
import { jobsOf, listOf } from './remote-jobs.ts';
import { RemoteOutput } from './remote-output.ts';
import { RemoteRecipes } from './remote-recipes.ts';
import { remoteReportsOver } from './remote-reports.ts';
import { RemoteSchedules } from './remote-schedules.ts';
import { remoteTransfersOver } from './remote-transfers.ts';
import { requestStop, stopWorkers } from './remote-workers.ts';

export class RemoteQueue extends Queue implements StopsElsewhere {
  override readonly isRemote = true;
  override readonly groups: RemoteGroups;
  override readonly queues: RemoteQueues;
  readonly reports: RemoteReports;
  readonly transfers: RemoteTransfers;
  private readonly caller: RemoteCaller;
  private readonly cwd: string | null;
  private readonly planned = new WeakMap<Rerun, { targets: readonly string[]; mode: RerunMode }>();

  /** `cwd`: where new jobs run that name no folder, if this machine is that of the server; else null. */
  constructor(
    place: Place,
    store: Store,
    caller: RemoteCaller,
    environment: NodeJS.ProcessEnv,
    cwd: string | null = null,
  ) {
    super(place, store, {}, { environment });
    this.cwd = cwd;
    this.caller = caller;
    this.groups = new RemoteGroups(this, caller);
    this.queues = new RemoteQueues(store, caller);
    this.reports = remoteReportsOver(caller);
    this.transfers = remoteTransfersOver(caller);
  }

  override async close(): Promise<void> {}
  override async leave(): Promise<void> {}

  override async intake(overrides: JobInput = {}, inherit?: boolean): Promise<Intake> {
    return remoteIntake(this.caller, overrides, inherit, this.cwd);
  }

  override async find(idOrName: string): Promise<Job> {
    return jobFrom(await this.caller.get(jobPath(idOrName)));
  }

  override findCalled(idOrName: string): Promise<Job> {
    return this.find(idOrName);
  }

  override async get(id: string): Promise<Job | null> {
    const job = await this.find(id).catch(ifNotFound);
    return job?.id === id ? job : null;
  }

  override getAll(ids: readonly string[], filter: JobFilter = {}): Promise<Job[]> {
    return jobsOf(this.caller, ids, filter);
  }

  override list(query: ListQuery): Promise<Job[]> {
    return listOf(this.caller, query);
  }

  override async idsOf(query: ListQuery): Promise<string[]> {
    return (await this.list(query)).map(({ id }) => id);
  }

  override async countOf(filter: JobFilter): Promise<number | null> {
    const { sort: _, descending: __, limit: ___, ...asked } = filter as Partial<ListQuery>;
    const query = { filter: filterText(asked, this.now()) };
    const { count, is_exact } = await this.caller.get<data.JobCount>('/jobs/count', query);
    return is_exact ? count : null;
  }

  override async history(id: string): Promise<Attempt[]> {
    const { attempts } = await this.caller.get<{ attempts: data.Attempt[] }>(`${jobPath(id)}/attempts`);
    return attempts.map(attemptFrom);
  }

  override async environmentOf(jobId: string): Promise<Variables | null> {
    return (await this.caller.get<data.JobDetails>(jobPath(jobId))).environment;
  }

  override outputOf(job: Job, attempt: Attempt): Promise<AttemptOutput> {
    return RemoteOutput.of(this.store, this.caller, job.id, attempt);
  }

  override async overview(): Promise<Overview> {
    const { queues, nextRetryAt, nextRunAt } = statusFrom(await this.caller.get('/stats'), this.now());
    return { queues, nextRetryAt, nextDueAt: nextRunAt };
  }

  override async retry(ids: readonly string[], states?: readonly JobState[]): Promise<Job[]> {
    return changeJobs(this.caller, await this.findAll(ids), { kind: 'retry' }, states);
  }

  override async cancel(ids: readonly string[]): Promise<Job[]> {
    return changeJobs(this.caller, await this.findAll(ids), { kind: 'cancel' });
  }

  override async remove(ids: readonly string[]): Promise<Job[]> {
    return removeJobs(this.caller, await this.findAll(ids));
  }

  override async change(ids: readonly string[], change: WaitingChange): Promise<Job[]> {
    return changeJobs(this.caller, await this.findAll(ids), change);
  }

  /** A folder of this machine means nothing there, so a path has to be whole. */
  override readEdit(said: EditInput, _: string | null, zone: Zone): Edit {
    return readEdit(said, { now: this.now(), cwd: null, zone });
  }

  override idsToChange(filter: JobFilter, change: Change): Promise<string[]> {
    return idsToChange(this.caller, filter, change);
  }

  override changeMany(
    ids: readonly string[],
    filter: JobFilter,
    change: Change,
    progress: Progress = {},
  ): Promise<ChangedMany> {
    return changeMany(this.caller, ids, filter, change, progress);
  }

  override prunable(query: PruneQuery): Promise<number> {
    return prunable(this.caller, query);
  }

  override prune(query: PruneQuery, progress: Progress = {}): Promise<number> {
    return prune(this.caller, query, progress);
  }

  override async errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]> {
    const query = { filter: filterText(filter, this.now()), limit };
    const { errors } = await this.caller.get<{ errors: WireError[] }>('/dlq', query);
    return errors.map((error) => ({
      fingerprint: error.fingerprint,
      jobs: error.count,
      oldestAt: msOf(error.first_at),
      newestAt: msOf(error.last_at),
      exampleId: error.sample_id,
      exampleError: error.error,
    }));
  }

  override async workers(): Promise<WorkerView[]> {
    return (await this.caller.get<{ workers: data.Worker[] }>('/workers')).workers.map(workerFrom);
  }

  override requestStop(ids: readonly string[], mode: StopMode): Promise<void> {
    return requestStop(this.caller, ids, mode);
  }

  stopWorkersThere(...wish: Parameters<StopsElsewhere['stopWorkersThere']>) {
    return stopWorkers(this.caller, ...wish);
  }

  override async namesInUse(): Promise<{ names: string[]; keys: string[] }> {
    return { names: [], keys: [] };
  }

  override async planRerun(targets: readonly string[], mode: RerunMode): Promise<Rerun> {
    const plan = await this.caller.post<Rerun>('/jobs/rerun', { targets, mode, dry_run: true });
    this.planned.set(plan, { targets, mode });
    return plan;
  }

  /** As it is planned there by then. */
  override async rerun(plan: Rerun): Promise<void> {
    await this.caller.post('/jobs/rerun', this.planned.get(plan));
  }

  override async recipes(): Promise<QueueRecipes> {
    return new RemoteRecipes(this.store, this.caller);
  }

  override async accounts(): Promise<QueueAccounts> {
    return new RemoteAccounts(this.store, this.caller);
  }

  override async secrets(): Promise<QueueSecrets> {
    const { RemoteSecrets } = await import('./remote-secrets.ts');
    return new RemoteSecrets(this.store, this.place, this.caller);
  }

  override get activity(): ActivityLog {
    return remoteActivity(this.caller);
  }

  override async schedules(): Promise<QueueSchedules> {
    return new RemoteSchedules(this.store, () => this.settings(), this.caller);
  }

  override async settings(): Promise<Settings> {
    const { settings } = await this.caller.get<{ settings: WireSetting[] }>('/settings');
    const from = (source: string): Record<string, SettingValue> =>
      Object.fromEntries(
        settings.filter((one) => one.source === source).map(({ key, value }) => [key, value]),
      );
    return new Settings(from('stored'), from('environment'));
  }

  override async setSetting(key: string, text: string): Promise<{ key: SettingKey; value: SettingValue }> {
    const setting = { key: settingKey(key), value: parseSetting(key, text) };
    await this.caller.json('PUT', `/settings/${setting.key}`, { body: { value: setting.value } });
    return setting;
  }

  override async unsetSetting(key: string): Promise<SettingKey> {
    const known = settingKey(key);
    await this.caller.json('DELETE', `/settings/${known}`);
    return known;
  }
}

interface WireSetting {
  readonly key: string;
  readonly value: SettingValue;
  readonly source: string;
}

interface WireError {
  readonly fingerprint: string | null;
  readonly error: string | null;
  readonly count: number;
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly sample_id: string;
}

function ifNotFound(error: unknown): null {
  if (error instanceof QueueError && error.code === 'job_not_found') return null;
  throw error;
}
