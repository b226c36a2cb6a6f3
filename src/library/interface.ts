// The library, by nouns: what can be done with a queue, wherever it is. `openQueue` of 'queuectl' does it to a file or a
// PostgreSQL database, `connect` of 'queuectl/client' over HTTP. Types alone: the package hands this file to TypeScript as it
// is. Whatever goes wrong is a QueueError with a code of docs/errors.md.

import type {
  Group,
  Job,
  JobCount,
  JobDetails,
  JobPage,
  NamedQueue,
  NewJob,
  NewSchedule,
  OutputChunk,
  Schedule,
  ScheduleDetails,
  ScheduleEdit,
  Status,
  Worker,
} from './data.ts';

export interface Queue {
  /** On disk when it returns. A unique job that is there already is answered as it is. */
  enqueue(job: NewJob, options?: EnqueueOptions): Promise<Job>;
  /** All of them or none. */
  enqueue(jobs: readonly NewJob[], options?: EnqueueOptions): Promise<Job[]>;
  readonly jobs: Jobs;
  readonly schedules: Schedules;
  readonly groups: Groups;
  readonly queues: NamedQueues;
  readonly workers: Workers;
  /** How many jobs are in which state, and who works on them; of all queues, or of this one. */
  status(queue?: string): Promise<Status>;
  /** What changes, as it changes: the newest of each topic, not everything in between. Goes on until it is left. */
  events(topics: readonly Topic[], options?: StreamOptions): AsyncIterable<QueueEvent>;
  /** All of it as the file of docs/export.md, a line at a time, as fast as they are taken. Takes an admin. */
  export(options?: ExportOptions): AsyncIterable<string>;
  /** Streams that are open end. */
  close(): Promise<void>;
}

export interface ExportOptions {
  /** With the attempts of jobs. */
  readonly history?: boolean;
  /** With what they wrote, and history. */
  readonly outputs?: boolean;
}

/** A queue that this process can reach without a server. */
export interface LocalQueue extends Queue {
  /** Runs jobs in this process, until it is stopped. */
  work(options?: WorkOptions): Promise<WorkHandle>;
}

export interface EnqueueOptions {
  /** Stands for this request: with the same key within a day it enqueues nothing, and answers its jobs as they are then. */
  readonly idempotencyKey?: string;
}

/** Jobs. An id may be a name or a unique prefix. */
export interface Jobs {
  get(id: string): Promise<JobDetails>;
  /** A page of those that match a filter: 'state:dead queue:mail older:1d'. */
  list(filter?: string, options?: ListOptions): Promise<JobPage>;
  /** All that match, page after page. */
  all(filter?: string, options?: Omit<ListOptions, 'after'>): AsyncIterable<Job>;
  /** Exact by state and queue; else as far as a short time allows. */
  count(filter?: string): Promise<JobCount>;
  /** Until it is final: completed, dead or cancelled. Else wait_timeout. */
  wait(id: string, options?: WaitOptions): Promise<Job>;
  /** Runs again now, attempts from 0. */
  retry(id: string): Promise<Job>;
  /** One that runs is asked to end; its state follows. */
  cancel(id: string): Promise<Job>;
  /** With its history and output. */
  delete(id: string): Promise<void>;
  /** Keeps a waiting job from running until it is released. */
  hold(id: string, reason?: string): Promise<Job>;
  release(id: string): Promise<Job>;
  runNow(id: string): Promise<Job>;
  /** What is given changes, null takes a field back; of a waiting job. */
  edit(id: string, fields: JobEdit): Promise<Job>;
  /** Removes finished jobs by age or number, with their output, for good; returns how many. Takes an admin. */
  prune(options?: PruneOptions): Promise<number>;
  /** All that an attempt wrote and that is kept of it, as text. */
  output(id: string, options?: OutputOptions): Promise<string>;
  /** What an attempt writes, as it comes, until it has ended. A job that has not started is waited for. */
  follow(id: string, options?: FollowOptions): AsyncIterable<OutputChunk>;
}

export interface PruneOptions {
  /** Default: completed and cancelled. */
  readonly states?: readonly ('completed' | 'cancelled' | 'dead')[];
  readonly queue?: string;
  /** Those that finished longer ago. */
  readonly olderThanSeconds?: number;
  /** Keep the newest of each state, so many. */
  readonly keep?: number;
  /** Removes none, and answers how many it would be. */
  readonly dryRun?: boolean;
}

export type JobEdit = { readonly [Field in keyof NewJob]?: NewJob[Field] | null };

export type SortKey = 'created' | 'updated' | 'priority' | 'next_run' | 'finished' | 'duration' | 'attempts';

export interface ListOptions {
  /** With a minus: the largest first. Default: '-created'. */
  readonly sort?: SortKey | `-${SortKey}`;
  /** At most 1000; default: 50. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export interface WaitOptions {
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface OutputOptions {
  /** Default: the newest. */
  readonly attempt?: number;
  /** Of a job with split_output. */
  readonly stream?: 'stdout' | 'stderr';
}

export interface StreamOptions {
  /** Ends the stream. So does leaving the loop. */
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends StreamOptions {
  /** Default: the newest. */
  readonly attempt?: number;
  /** The first byte. */
  readonly from?: number;
}

export interface Schedules {
  add(schedule: NewSchedule): Promise<Schedule>;
  list(): Promise<Schedule[]>;
  get(name: string): Promise<ScheduleDetails>;
  edit(name: string, change: ScheduleEdit): Promise<Schedule>;
  pause(name: string): Promise<Schedule>;
  /** Ticks of the pause are not made up for. */
  resume(name: string): Promise<Schedule>;
  /** A job of it now, whatever its ticks do. */
  run(name: string): Promise<Job>;
  /** Jobs it has made stay. */
  remove(name: string): Promise<void>;
}

export interface Groups {
  /** The newest first. */
  list(): Promise<Group[]>;
  get(name: string): Promise<Group>;
  /** All its jobs that are not final. */
  cancel(name: string): Promise<Group>;
  /** Its failed and dead jobs. */
  retry(name: string): Promise<Group>;
  /** Its jobs that do not run, and the group when none is left. */
  delete(name: string): Promise<void>;
}

export interface NamedQueues {
  list(): Promise<NamedQueue[]>;
  get(name: string): Promise<NamedQueue>;
  /** null: no limit. What is not given stays as it is. */
  limit(name: string, limits: QueueLimits): Promise<NamedQueue>;
  /** Nothing new of it starts. */
  pause(name: string): Promise<NamedQueue>;
  resume(name: string): Promise<NamedQueue>;
  /** No new jobs may come into it. */
  drain(name: string): Promise<NamedQueue>;
}

export interface QueueLimits {
  readonly concurrency?: number | null;
  /** '10/s', '100/m', '5/h', '1/d'. */
  readonly rate?: string | null;
  readonly burst?: number | null;
  /** Of each of its jobs: { memory: '512M' }; null takes one back. */
  readonly limits?: Readonly<Record<string, string | number | null>>;
  /** Required of all its jobs. Over HTTP these two take the role admin. */
  readonly sandbox?: string | null;
  readonly user?: string | null;
}

export interface Workers {
  list(): Promise<Worker[]>;
  /** Asks it to stop when its jobs have finished; with force they are ended, and run again later. It is still there for a while. */
  stop(id: string, options?: { readonly force?: boolean }): Promise<Worker>;
}

export type Topic = 'stats' | 'jobs' | `job:${string}` | `output:${string}`;

export type QueueEvent =
  | { readonly type: 'stats'; readonly data: Status }
  /** Lists may look different now: load them again. */
  | { readonly type: 'changed'; readonly data: { readonly revision: string } }
  | { readonly type: 'job'; readonly data: Job }
  | { readonly type: 'gone'; readonly data: { readonly id: string } }
  | { readonly type: 'output'; readonly data: OutputChunk & AttemptNamed }
  | { readonly type: 'output_end'; readonly data: AttemptNamed & { offset: number; outcome: string | null } }
  /** The store does not answer; null: it does again. */
  | { readonly type: 'trouble'; readonly data: Trouble | null };

export interface AttemptNamed {
  /** Of the job. */
  readonly id: string;
  readonly attempt: number;
  /** Tells it from all others of its job. */
  readonly run: number;
}

export interface Trouble {
  readonly code: string;
  readonly detail: string;
  readonly hint: string | null;
  readonly since: string;
}

export interface OpenOptions {
  /** A file path or a postgres:// address. Default: as for the command line, QUEUECTL_DB or the user's own queue. */
  readonly db?: string;
  /** The folder of new jobs that name none. Default: the current one. */
  readonly cwd?: string;
  /** New jobs run with the environment of this process, and not with that of their worker. */
  readonly inheritEnvironment?: boolean;
}

export interface ConnectOptions {
  /** Default: QUEUECTL_TOKEN. */
  readonly token?: string;
  /** How long a stream tries to come back, and a request to get through to a server that is not there. Default: 60 and 0. */
  readonly patienceSeconds?: { readonly stream?: number; readonly request?: number };
  readonly fetch?: typeof globalThis.fetch;
}

export interface WorkOptions {
  /** How many jobs at once; default: 1. */
  readonly concurrency?: number;
  /** Default: all of them. */
  readonly queues?: readonly string[];
  /** Stop when nothing is left to do. */
  readonly drain?: boolean;
  /** Told what happens, a line each. */
  readonly log?: (line: string) => void;
}

export interface WorkHandle {
  /** Of the worker, as the list of workers has it. */
  readonly id: string;
  /** Resolves when it has left, rejects if it could not work. */
  readonly ended: Promise<void>;
  /** Takes no new jobs and waits for those that run. With force they are ended and put back. */
  stop(options?: { readonly force?: boolean }): Promise<void>;
}
