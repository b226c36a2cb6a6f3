// What commands ask of a queue, by nouns, whether this process has its store (Queue) or a server has it (RemoteQueue in
// src/remote). Commands depend on nothing else; those that need the store itself take `local`.

import type { Intake, JobInput } from '../intake/intake.ts';
import type { OnDependents } from '../intake/parents.ts';
import type { Change } from '../job/change.ts';
import type { NewEnvironment, Variables } from '../job/environment/environment.ts';
import type { QueueLimit } from '../job/flow/concurrency.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import type { Rerun, RerunMode } from '../job/flow/rerun.ts';
import type { Edit } from '../job/input/edit.ts';
import type { EditInput } from '../job/input/edit-input.ts';
import type { Confinement } from '../job/isolation/isolation.ts';
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
  /** The queue with its store; null: a server has it, so that this process can neither run jobs nor reach its files. */
  readonly local: Queue | null;
  /** Whether workers of several hosts share it. */
  readonly spansHosts: boolean;
  readonly groups: Groups;
  readonly queues: Queues;
  readonly activity: Pick<ActivityLog, 'list'>;
  close(): Promise<void>;
  /** Instead of close(), for a process that is about to exit: does only what would otherwise cost the next one more. */
  leave(): Promise<void>;
  /** The clock by which jobs become due. */
  now(): number;
  /** Checks jobs as a user wrote them, and stores them. `overrides` win over the fields of each job. */
  intake(overrides?: JobInput, inherit?: boolean): Promise<Intake>;
  settings(): Promise<Settings>;
  /** Returns the key that was meant and the parsed value. */
  setSetting(key: string, text: string): Promise<{ key: SettingKey; value: SettingValue }>;
  unsetSetting(key: string): Promise<SettingKey>;
  schedules(): Promise<Schedules>;
  reports(): Promise<Reports>;
  transfers(): Promise<Transfers>;
}

/** Looking jobs up by ID, name or prefix, or by a filter, with their attempts and output. */
export interface JobLookup {
  /** The job of this ID, else the newest of this name, else the only one whose ID starts with it. */
  find(idOrName: string): Promise<Job>;
  /** In the order given; a job named twice is returned once. */
  findAll(idsOrPrefixes: readonly string[]): Promise<Job[]>;
  /** As find(); a job that asks means its dependencies, or the jobs of its group, first. */
  findCalled(idOrName: string, askerId?: string): Promise<Job>;
  /** By its whole ID. */
  get(id: string): Promise<Job | null>;
  /** In the order of the IDs, without those that are gone or no longer match. */
  getAll(ids: readonly string[], filter?: JobFilter): Promise<Job[]>;
  list(query: ListQuery): Promise<Job[]>;
  /** The IDs that list() would return, in its order: the way to read more jobs than fit into memory. */
  idsOf(query: ListQuery): Promise<string[]>;
  /** How many jobs match, from the counters. Returns null if the counters do not have this filter. */
  countOf(filter: JobFilter): Promise<number | null>;
  history(id: string): Promise<Attempt[]>;
  /** The environment of the shell that enqueued the job. Returns null if it runs with that of its worker. */
  environmentOf(jobId: string): Promise<Variables | null>;
  /** What an attempt wrote, wherever it ran. */
  outputOf(job: Job, attempt: Attempt): Promise<ReadableOutput>;
  /** Costs the same whatever the number of jobs. */
  overview(): Promise<Overview>;
  /** Names and keys of jobs, the first `limit` of each. */
  namesInUse(limit: number): Promise<{ names: string[]; keys: string[] }>;
  /** Dead jobs by their error, the most frequent first. */
  errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]>;
}

/** Changing jobs by IDs, all or none, or by a filter. */
export interface JobChanges {
  /** Runs again now, attempts from 0. `states` narrows which jobs may be retried. */
  retry(idsOrPrefixes: readonly string[], states?: readonly JobState[]): Promise<Job[]>;
  /** Asks running jobs to end; their state follows when their worker has ended them. */
  cancel(idsOrPrefixes: readonly string[], onDependents?: OnDependents): Promise<Job[]>;
  /** Removes jobs with their history and logs; returns what they were. */
  remove(idsOrPrefixes: readonly string[], onDependents?: OnDependents): Promise<Job[]>;
  /** Holds, releases, edits or runs waiting jobs now. Else wrong_state, or not_held. */
  change(idsOrPrefixes: readonly string[], change: WaitingChange): Promise<Job[]>;
  /** Checks an edit as a new job would be checked. null resets a field. */
  readEdit(said: EditInput, cwd: string | null, zone: Zone): Edit;
  /** The jobs that match and can be changed so, at this moment, in the order they came in. */
  idsToChange(filter: JobFilter, change: Change): Promise<string[]>;
  /**
   * Changes those of the IDs that still match. Returns the changes, also when it was stopped on the way. Jobs that the policy
   * rejects stay as they are and are reported by reason; they stop nothing else.
   */
  changeMany(
    ids: readonly string[],
    filter: JobFilter,
    change: Change,
    progress?: Progress,
  ): Promise<ChangedMany>;
  /** The part of a flow that would run again: jobs by ID, name or prefix with their dependents, or 'group:NAME'. */
  planRerun(targets: readonly string[], mode: RerunMode): Promise<Rerun>;
  /** All of it or nothing. */
  rerun(rerun: Rerun): Promise<void>;
  /** How many jobs prune() would remove. */
  prunable(query: PruneQuery): Promise<number>;
  /** Returns how many jobs were removed, also when it was stopped on the way. */
  prune(query: PruneQuery, progress?: Progress): Promise<number>;
}

export interface WorkerControl {
  workers(): Promise<WorkerView[]>;
  /** Workers that would take a job of this queue. */
  workersServing(queue: string): Promise<WorkerView[]>;
  /** Asks workers to stop and returns at once. A later graceful request does not soften `force`. */
  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void>;
  /** Stops workers. Returns those that are still there: none, unless `goOn` returned false. */
  stopWorkers(
    ids: readonly string[],
    mode: StopMode,
    goOn: (progress: StopProgress) => boolean,
  ): Promise<readonly LeftWorker[]>;
}

export interface Groups {
  /** The newest first. null: all of them. */
  all(limit: number | null): Promise<GroupRecord[]>;
  /** Else group_not_found. */
  get(name: string): Promise<GroupRecord>;
  /** The newest jobs of the queue, the newest first, each with the name of its group or null. */
  ofNewest(limit: number): Promise<GroupedJob[]>;
  /** Cancels, retries or removes those of its jobs that can be, in batches. */
  change(name: string, change: GroupChange, onProgress: OnProgress): Promise<ChangedGroup>;
}

/** The queues by their names: limits, pauses, hooks. */
export interface Queues {
  /** Of those queues that have any. */
  limits(): Promise<QueueLimit[]>;
  /** Starts nothing new of it; EVERY_QUEUE: nothing at all. */
  pause(name: string): Promise<void>;
  /** Returns the queues that are still paused. */
  resume(name: string): Promise<QueueLimit[]>;
  /** Rejects new jobs for it from now on. */
  drain(name: string): Promise<void>;
  /** The hooks of the end of any of its jobs. */
  hooks(name: string): Promise<Hooks>;
  /** What its jobs may use and touch, beyond the limits of all queues. */
  confinement(name: string): Promise<Confinement>;
  /** Absent fields stay, null resets one. Reports every mistake before anything is changed: invalid_job. */
  set(name: string, wish: QueueWish): Promise<void>;
}

export interface Schedules {
  /** All of them or none; a mistake in one is reported before anything is stored. */
  add(inputs: readonly ScheduleInput[], environment: NewEnvironment | null): Promise<Schedule[]>;
  /** What add() would store, or its error. */
  preview(inputs: readonly ScheduleInput[]): Promise<Schedule[]>;
  all(): Promise<Schedule[]>;
  /** By its whole name; else schedule_not_found. */
  get(name: string): Promise<Schedule>;
  /** Its past runs, the newest first. */
  ticks(name: string, limit: number): Promise<Tick[]>;
  /** Keeps the jobs that they have made. */
  remove(names: readonly string[]): Promise<Schedule[]>;
  /** Makes no jobs until it is resumed. */
  pause(names: readonly string[]): Promise<Schedule[]>;
  /** Does not make up for the runs of the pause. */
  resume(names: readonly string[]): Promise<Schedule[]>;
  /** Absent fields stay as they are. */
  edit(
    name: string,
    input: SpecInput,
    job: JobTemplate | undefined,
    environment: NewEnvironment | null | undefined,
  ): Promise<Schedule>;
  /** Enqueues a job of the schedule now. A unique job may be there already. */
  run(name: string): Promise<{ job: Job; isNew: boolean }>;
}

/** Reports about the queue; a server makes those of its queue itself. */
export interface Reports {
  /** Of all queues, or of the one named. */
  status(queue?: string): Promise<Status>;
  details(job: Job): Promise<Details>;
  /** Of a job by its ID, or of 'group:NAME'. */
  graph(target: string): Promise<Graph>;
  queues(): Promise<QueueView[]>;
  /** Also of a queue that has no jobs yet. */
  queue(name: string): Promise<QueueView>;
  metrics(): Promise<MetricsJson>;
  series(query: SeriesQuery): Promise<SeriesJson>;
  /** In the text format of Prometheus. */
  prometheus(): Promise<string>;
  /** At least one page, which may be empty. */
  pages(query: ListQuery): AsyncIterable<JobPage>;
}

/** The queue to a file and back. */
export interface Transfers {
  export(wanted: Wanted, write: Out, progress: (jobs: number) => void): Promise<Exported>;
  /** `path` of a file that can be read; null: stdin. */
  import(path: string | null, options: ImportOptions, progress: ImportProgress): Promise<Imported>;
}
