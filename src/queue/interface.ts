// The interface that commands use, whether the store is here (Queue) or on a server (RemoteQueue in src/remote).
// Commands that need the store itself use `local`.

import type { Intake, JobInput } from '../intake/intake.ts';
import type { OnDependents } from '../intake/parents.ts';
import type { Change } from '../job/change.ts';
import type { NewEnvironment } from '../job/environment/environment.ts';
import type { QueueLimit } from '../job/flow/concurrency.ts';
import type { Rerun, RerunMode } from '../job/flow/rerun.ts';
import type { Edit } from '../job/input/edit.ts';
import type { EditInput } from '../job/input/edit-input.ts';
import type { Attempt, Job, JobState } from '../job/job.ts';
import type { WaitingChange } from '../job/waiting-change.ts';
import type { ReadableOutput } from '../output/readable-output.ts';
import type { Details } from '../report/details.ts';
import type { Graph } from '../report/graph.ts';
import type { JobPage } from '../report/job-pages.ts';
import type { MetricsJson } from '../report/metrics/metrics.ts';
import type { SeriesJson, SeriesQuery } from '../report/metrics/series.ts';
import type { QueueView } from '../report/queues.ts';
import type { Status } from '../report/status.ts';
import type { JobTemplate } from '../schedule/job-template.ts';
import type { ScheduleInput } from '../schedule/preview.ts';
import type { Schedule, Tick } from '../schedule/schedule.ts';
import type { SpecInput } from '../schedule/spec.ts';
import type { SettingKey, Settings, SettingValue } from '../settings/settings.ts';
import type { Place } from '../store/location.ts';
import type {
  ActivityLog,
  ErrorGroup,
  GroupedJob,
  GroupRecord,
  JobFilter,
  ListQuery,
  Overview,
  PruneQuery,
  StopMode,
} from '../store/store.ts';
import type { Zone } from '../time/when.ts';
import type { Exported, Out, Wanted } from '../transfer/export.ts';
import type { Imported, ImportOptions, ImportProgress } from '../transfer/import.ts';
import type { LeftWorker, StopProgress } from '../worker/control/stop.ts';
import type { WorkerView } from '../worker/control/view.ts';
import type { ChangedGroup, GroupChange, OnProgress } from './group-change.ts';
import type { ChangedMany, Progress } from './job-control.ts';
import type { QueueWish } from './named-queues.ts';
import type { Queue } from './queue.ts';

export interface AnyQueue extends JobLookup, JobChanges, WorkerControl {
  readonly place: Place;
  readonly environment: NodeJS.ProcessEnv;
  /** The queue with its store. Null over HTTP, where this process can neither run jobs nor access the queue's files. */
  readonly local: Queue | null;
  /** Whether workers of several hosts may share the queue. */
  readonly spansHosts: boolean;
  readonly groups: Groups;
  readonly queues: Queues;
  readonly activity: Pick<ActivityLog, 'list'>;
  close(): Promise<void>;
  /** Replaces close() in a process that is about to exit: skips cleanup unless it saves the next process time. */
  leave(): Promise<void>;
  /** Current time of the clock that decides when jobs are due. */
  now(): number;
  /** Validates and stores jobs as users write them. `overrides` take precedence over the fields of each job. */
  intake(overrides?: JobInput, inherit?: boolean): Promise<Intake>;
  settings(): Promise<Settings>;
  /** Returns the canonical key and the parsed value. */
  setSetting(key: string, text: string): Promise<{ key: SettingKey; value: SettingValue }>;
  unsetSetting(key: string): Promise<SettingKey>;
  schedules(): Promise<Schedules>;
  reports(): Promise<Reports>;
  transfers(): Promise<Transfers>;
}

/** Finds jobs by ID, name, prefix or filter, with their attempts and output. */
export interface JobLookup {
  /** Finds the job by ID, else the newest job by name, else the only job whose ID starts with the text. */
  find(idOrName: string): Promise<Job>;
  /** Returns jobs in the given order, without duplicates. */
  findAll(idsOrPrefixes: readonly string[]): Promise<Job[]>;
  /** Like find(), but for an asking job, names refer to its dependencies first, then to jobs of its group. */
  findCalled(idOrName: string, askerId?: string): Promise<Job>;
  /** Finds the job by its complete ID. */
  get(id: string): Promise<Job | null>;
  /** Returns jobs in the order of the IDs, without those that are deleted or do not match. */
  getAll(ids: readonly string[], filter?: JobFilter): Promise<Job[]>;
  list(query: ListQuery): Promise<Job[]>;
  /** Counts matching jobs from counters. Returns null if there are no counters for this filter. */
  countOf(filter: JobFilter): Promise<number | null>;
  history(id: string): Promise<Attempt[]>;
  /** Returns the output of an attempt, wherever it ran. */
  outputOf(job: Job, attempt: Attempt): Promise<ReadableOutput>;
  /** Its cost does not depend on the number of jobs. */
  overview(): Promise<Overview>;
  /** Returns up to `limit` names and keys of jobs. */
  namesInUse(limit: number): Promise<{ names: string[]; keys: string[] }>;
  /** Groups dead jobs by error, most frequent first. */
  errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]>;
}

/** Changes jobs, by ID all or none of them, or by filter. */
export interface JobChanges {
  /** Retries jobs now, with attempts from 0. `states` limits which jobs may be retried. */
  retry(idsOrPrefixes: readonly string[], states?: readonly JobState[]): Promise<Job[]>;
  /** Running jobs are stopped by their workers, so their state changes later. */
  cancel(idsOrPrefixes: readonly string[], onDependents?: OnDependents): Promise<Job[]>;
  /** Deletes jobs with their history and logs, and returns them as they were. */
  remove(idsOrPrefixes: readonly string[], onDependents?: OnDependents): Promise<Job[]>;
  /** Holds, releases, edits or immediately runs waiting jobs. Throws wrong_state or not_held. */
  change(idsOrPrefixes: readonly string[], change: WaitingChange): Promise<Job[]>;
  /** Validates an edit like a new job. Null resets a field. */
  readEdit(said: EditInput, cwd: string | null, zone: Zone): Edit;
  /** Returns the jobs that currently match and allow the change, in the order of enqueueing. */
  idsToChange(filter: JobFilter, change: Change): Promise<string[]>;
  /**
   * Changes those of the IDs that still match. Returns the changes made, even if it was stopped early. Jobs that the
   * policy rejects stay unchanged and are counted by reason.
   */
  changeMany(ids: readonly string[], filter: JobFilter, change: Change, progress?: Progress): Promise<ChangedMany>;
  /** Plans a rerun of jobs by ID, name or prefix, including their dependents, or of 'group:NAME'. */
  planRerun(targets: readonly string[], mode: RerunMode): Promise<Rerun>;
  /** Applies the whole plan or nothing. */
  rerun(rerun: Rerun): Promise<void>;
  /** Counts the jobs that prune() would delete. */
  prunable(query: PruneQuery): Promise<number>;
  /** Returns the number of deleted jobs, even if it was stopped early. */
  prune(query: PruneQuery, progress?: Progress): Promise<number>;
}

export interface WorkerControl {
  workers(): Promise<WorkerView[]>;
  /** Returns workers that accept jobs of this queue. */
  workersServing(queue: string): Promise<WorkerView[]>;
  /** Requests a stop and returns at once. A graceful request does not revoke an earlier forced one. */
  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void>;
  /** Stops workers and waits. Returns the remaining ones if `goOn` returned false, else none. */
  stopWorkers(
    ids: readonly string[],
    mode: StopMode,
    goOn: (progress: StopProgress) => boolean,
  ): Promise<readonly LeftWorker[]>;
}

export interface Groups {
  /** Newest first. Null for all groups. */
  all(limit: number | null): Promise<GroupRecord[]>;
  /** Throws group_not_found. */
  get(name: string): Promise<GroupRecord>;
  /** Returns the newest jobs of the queue, newest first, with the name of their group or null. */
  ofNewest(limit: number): Promise<GroupedJob[]>;
  /** Cancels, retries or deletes the jobs of the group whose state allows it, in batches. */
  change(name: string, change: GroupChange, onProgress: OnProgress): Promise<ChangedGroup>;
}

/** Named queues: limits, pauses, hooks and isolation. */
export interface Queues {
  /** Returns queues that have limits. */
  limits(): Promise<QueueLimit[]>;
  /** Stops starting jobs of the queue, or of all queues for EVERY_QUEUE. */
  pause(name: string): Promise<void>;
  /** Returns the queues that are still paused. */
  resume(name: string): Promise<QueueLimit[]>;
  /** Rejects new jobs. */
  drain(name: string): Promise<void>;
  /** Leaves omitted fields unchanged; null resets a field. Throws invalid_job before any change. */
  set(name: string, wish: QueueWish): Promise<void>;
}

export interface Schedules {
  /** Adds all schedules or none; validates all of them first. */
  add(inputs: readonly ScheduleInput[], environment: NewEnvironment | null): Promise<Schedule[]>;
  /** Returns what add() would store, or throws its error. */
  preview(inputs: readonly ScheduleInput[]): Promise<Schedule[]>;
  all(): Promise<Schedule[]>;
  /** Finds a schedule by its complete name. Throws schedule_not_found. */
  get(name: string): Promise<Schedule>;
  /** Returns past runs, newest first. */
  ticks(name: string, limit: number): Promise<Tick[]>;
  /** Keeps the jobs of the schedules. */
  remove(names: readonly string[]): Promise<Schedule[]>;
  /** Creates no jobs until resumed. */
  pause(names: readonly string[]): Promise<Schedule[]>;
  /** Does not catch up on runs missed during the pause. */
  resume(names: readonly string[]): Promise<Schedule[]>;
  /** Leaves omitted fields unchanged. */
  edit(
    name: string,
    input: SpecInput,
    job: JobTemplate | undefined,
    environment: NewEnvironment | null | undefined,
  ): Promise<Schedule>;
  /** Enqueues a job of the schedule now. `isNew` is false if its unique job already exists. */
  run(name: string): Promise<{ job: Job; isNew: boolean }>;
}

/** Reports about the queue; over HTTP, the server creates them. */
export interface Reports {
  /** Covers all queues, or the given one. */
  status(queue?: string): Promise<Status>;
  details(job: Job): Promise<Details>;
  /** `target` is a job ID or 'group:NAME'. */
  graph(target: string): Promise<Graph>;
  queues(): Promise<QueueView[]>;
  /** The queue may have no jobs yet. */
  queue(name: string): Promise<QueueView>;
  metrics(): Promise<MetricsJson>;
  series(query: SeriesQuery): Promise<SeriesJson>;
  /** Returns metrics in the Prometheus text format. */
  prometheus(): Promise<string>;
  /** Yields at least one page, which may be empty. */
  pages(query: ListQuery): AsyncIterable<JobPage>;
}

/** Exports and imports. */
export interface Transfers {
  export(wanted: Wanted, write: Out, progress: (jobs: number) => void): Promise<Exported>;
  /** `path` is null for stdin. */
  import(path: string | null, options: ImportOptions, progress: ImportProgress): Promise<Imported>;
}
