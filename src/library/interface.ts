// Interface of the library. `openQueue` of 'queuectl' opens a file or a PostgreSQL database, and `connect` of
// 'queuectl/client' uses HTTP. Types only: the package ships this file to TypeScript unchanged. All errors are of the
// class QueueError, with a code of docs/reference/errors.md.

import type {
  Group,
  Job,
  JobCount,
  JobDetails,
  JobPage,
  NamedQueue,
  NewJob,
  Schedule,
  ScheduleDetails,
  Status,
  Worker,
} from './data.ts';

export interface Queue {
  /** Resolves when the job is on disk. If a unique job exists, returns the existing one. */
  enqueue(job: NewJob, options?: EnqueueOptions): Promise<Job>;
  /** Enqueues all jobs or none. */
  enqueue(jobs: readonly NewJob[], options?: EnqueueOptions): Promise<Job[]>;
  readonly jobs: Jobs;
  readonly schedules: Schedules;
  readonly groups: Groups;
  readonly queues: NamedQueues;
  readonly workers: Workers;
  /** Counts jobs by state, and lists workers, for all queues or the given one. */
  status(queue?: string): Promise<Status>;
  /** Yields changes until the loop ends: the latest state of each topic, which may skip intermediate ones. */
  events(topics: readonly Topic[], options?: StreamOptions): AsyncIterable<QueueEvent>;
  /** Yields the lines of an export as in docs/guides/backup.md, at the speed of the reader. Requires the role admin. */
  export(options?: ExportOptions): AsyncIterable<string>;
  /** Also ends open streams. */
  close(): Promise<void>;
}

export interface ExportOptions {
  /** Includes the attempts of jobs. */
  readonly history?: boolean;
  /** Includes output and attempts. */
  readonly outputs?: boolean;
}

/** A queue that this process accesses without a server. */
export interface LocalQueue extends Queue {
  /** Runs jobs in this process until it is stopped. */
  work(options?: WorkOptions): Promise<WorkHandle>;
}

export interface EnqueueOptions {
  /** Idempotency key: a repeated request with the same key within a day returns the existing jobs. */
  readonly idempotencyKey?: string;
}

/** Jobs. An ID may be a name or a unique prefix. */
export interface Jobs {
  get(id: string): Promise<JobDetails>;
  /** Returns a page of jobs that match a filter such as 'state:dead queue:mail older:1d'. */
  list(filter?: string, options?: ListOptions): Promise<JobPage>;
  /** Yields all matching jobs, page by page. */
  all(filter?: string, options?: Omit<ListOptions, 'after'>): AsyncIterable<Job>;
  /** Exact by state and queue; otherwise limited by time. */
  count(filter?: string): Promise<JobCount>;
  /** Resolves when the job is completed, dead or cancelled. Throws wait_timeout. */
  wait(id: string, options?: WaitOptions): Promise<Job>;
  /** Runs the job again now, with attempts from 0. */
  retry(id: string): Promise<Job>;
  /** A running job is stopped; its state changes later. */
  cancel(id: string): Promise<Job>;
  /** Deletes the job with its history and output. */
  delete(id: string): Promise<void>;
  /** Keeps a waiting job from running until it is released. */
  hold(id: string, reason?: string): Promise<Job>;
  release(id: string): Promise<Job>;
  runNow(id: string): Promise<Job>;
  /** Edits a waiting job. Leaves omitted fields unchanged; null resets a field. */
  edit(id: string, fields: JobEdit): Promise<Job>;
  /**
   * Permanently deletes finished jobs by age or number, with their output, and returns the count. Requires the role
   * admin.
   */
  prune(options?: PruneOptions): Promise<number>;
  /** Returns the kept output of an attempt as text. */
  output(id: string, options?: OutputOptions): Promise<string>;
  /**
   * Yields the output of an attempt as it arrives, until the attempt has ended. Waits for a job that has not started.
   */
  follow(id: string, options?: FollowOptions): AsyncIterable<OutputChunk>;
}

export interface PruneOptions {
  /** Default: completed and cancelled. */
  readonly states?: readonly ('completed' | 'cancelled' | 'dead')[];
  readonly queue?: string;
  /** Minimum time since the job finished. */
  readonly olderThanSeconds?: number;
  /** Number of newest jobs to keep in each state. */
  readonly keep?: number;
  /** Deletes nothing, and returns the number of matching jobs. */
  readonly dryRun?: boolean;
}

export type JobEdit = { readonly [Field in keyof NewJob]?: NewJob[Field] | null };

export type SortKey = 'created' | 'updated' | 'priority' | 'next_run' | 'finished' | 'duration' | 'attempts';

export interface ListOptions {
  /** A minus sorts in descending order. Default: '-created'. */
  readonly sort?: SortKey | `-${SortKey}`;
  /** Maximum 1000; default 50. */
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

export interface WaitOptions {
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface OutputOptions {
  /** Default: the latest. */
  readonly attempt?: number;
  /** For a job with split_output. */
  readonly stream?: 'stdout' | 'stderr';
}

export interface StreamOptions {
  /** Ends the stream, as leaving the loop does. */
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends StreamOptions {
  /** Default: the latest. */
  readonly attempt?: number;
  /** Offset of the first byte. */
  readonly from?: number;
}

/** When a schedule runs; exactly one of cron, every and at. */
export interface Timing {
  /** '30 2 * * *', six fields with seconds, or '@daily'. */
  readonly cron?: string;
  /** '90s', '5m', '1h30m'. */
  readonly every?: string;
  /** Runs once. */
  readonly at?: string;
  /** 'Europe/Berlin'. */
  readonly tz?: string;
}

export interface ScheduleRules {
  readonly overlap?: 'allow' | 'skip' | 'queue' | 'replace';
  readonly catch_up?: 'none' | 'one' | 'all';
  readonly catch_up_window_seconds?: number | null;
  readonly catch_up_max?: number;
  readonly jitter_seconds?: number;
}

export interface NewSchedule extends Timing, ScheduleRules {
  readonly name: string;
  readonly job: NewJob;
}

/** Leaves omitted fields unchanged. */
export type ScheduleEdit = Partial<Omit<NewSchedule, 'name'>>;

export interface Schedules {
  add(schedule: NewSchedule): Promise<Schedule>;
  list(): Promise<Schedule[]>;
  get(name: string): Promise<ScheduleDetails>;
  edit(name: string, change: ScheduleEdit): Promise<Schedule>;
  pause(name: string): Promise<Schedule>;
  /** Does not catch up on runs missed during the pause. */
  resume(name: string): Promise<Schedule>;
  /** Creates a job now, in addition to the scheduled runs. */
  run(name: string): Promise<Job>;
  /** Keeps the jobs that it has created. */
  remove(name: string): Promise<void>;
}

export interface Groups {
  /** Newest first. */
  list(): Promise<Group[]>;
  get(name: string): Promise<Group>;
  /** Cancels all its unfinished jobs. */
  cancel(name: string): Promise<Group>;
  /** Retries its failed and dead jobs. */
  retry(name: string): Promise<Group>;
  /** Deletes its jobs that are not running, and the group if none is left. */
  delete(name: string): Promise<void>;
}

export interface NamedQueues {
  list(): Promise<NamedQueue[]>;
  get(name: string): Promise<NamedQueue>;
  /** Null removes a limit. Leaves omitted fields unchanged. */
  limit(name: string, limits: QueueLimits): Promise<NamedQueue>;
  /** Stops starting jobs of the queue. */
  pause(name: string): Promise<NamedQueue>;
  resume(name: string): Promise<NamedQueue>;
  /** Rejects new jobs. */
  drain(name: string): Promise<NamedQueue>;
}

export interface QueueLimits {
  readonly concurrency?: number | null;
  /** Such as '10/s', '100/m', '5/h' or '1/d'. */
  readonly rate?: string | null;
  readonly burst?: number | null;
  /** Limits per job, such as { memory: '512M' }; null removes one. */
  readonly limits?: Readonly<Record<string, string | number | null>>;
  /** Required for all its jobs. Over HTTP, sandbox and user need the role admin. */
  readonly sandbox?: string | null;
  readonly user?: string | null;
}

export interface Workers {
  list(): Promise<Worker[]>;
  /**
   * Requests a stop after the running jobs finish; with force, they are stopped and requeued. The worker takes a while
   * to leave.
   */
  stop(id: string, options?: { readonly force?: boolean }): Promise<Worker>;
}

/** A part of an attempt's output. */
export interface OutputChunk {
  /** Byte offset in the job's output; larger than the previous `next` if bytes were dropped. */
  readonly offset: number;
  readonly next: number;
  readonly text: string;
}

export type Topic = 'stats' | 'jobs' | `job:${string}` | `output:${string}`;

export type QueueEvent =
  | { readonly type: 'stats'; readonly data: Status }
  /** Lists may have changed and should be reloaded. */
  | { readonly type: 'changed'; readonly data: { readonly revision: string } }
  | { readonly type: 'job'; readonly data: Job }
  | { readonly type: 'gone'; readonly data: { readonly id: string } }
  | { readonly type: 'output'; readonly data: OutputChunk & AttemptNamed }
  | { readonly type: 'output_end'; readonly data: AttemptNamed & { offset: number; outcome: string | null } }
  /** The database is unreachable; null when it is reachable again. */
  | { readonly type: 'trouble'; readonly data: Trouble | null };

export interface AttemptNamed {
  /** Job ID. */
  readonly id: string;
  readonly attempt: number;
  /** Unique among the attempts of the job. */
  readonly run: number;
}

export interface Trouble {
  readonly code: string;
  readonly detail: string;
  readonly hint: string | null;
  readonly since: string;
}

export interface OpenOptions {
  /** File path or postgres:// address. Default, as for the command line: QUEUECTL_DB or the user's queue. */
  readonly db?: string;
  /** Default working directory of new jobs. Default: the current one. */
  readonly cwd?: string;
}

export interface ConnectOptions {
  /** Default: QUEUECTL_TOKEN. */
  readonly token?: string;
  /** How long to retry streams and requests while the server is unreachable. Default: 60 and 0. */
  readonly patienceSeconds?: { readonly stream?: number; readonly request?: number };
  readonly fetch?: typeof globalThis.fetch;
}

export interface WorkOptions {
  /** Number of jobs at once; default 1. */
  readonly concurrency?: number;
  /** Default: all queues. */
  readonly queues?: readonly string[];
  /** Stops when the queues are empty. */
  readonly drain?: boolean;
  /** Receives one line per event. */
  readonly log?: (line: string) => void;
}

export interface WorkHandle {
  /** Worker ID, as in the list of workers. */
  readonly id: string;
  /** Resolves when the worker has left; rejects if it failed. */
  readonly ended: Promise<void>;
  /** Claims no new jobs and waits for running ones. With force, they are stopped and requeued. */
  stop(options?: { readonly force?: boolean }): Promise<void>;
}
