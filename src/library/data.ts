// What goes in and out of the library: plain data, the same JSON as `--json` prints and the HTTP API answers. Types alone: the
// package hands this file to TypeScript as it is. A test compares it with the schemas of the API.

import type { Job, JobState, Limits, Time } from './job-data.ts';

export type * from './job-data.ts';
export type * from './schedule-data.ts';

/** One start of a job's command. */
export interface Attempt {
  readonly number: number;
  /** Tells it from all others of its job, also from those that were lost. */
  readonly run: number;
  readonly worker: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly started_at: Time;
  readonly ended_at: Time | null;
  readonly duration_ms: number | null;
  readonly outcome: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly log_path: string | null;
  /** Of all its processes together; null: unknown, or it runs. */
  readonly peak_memory_bytes: number | null;
  readonly cpu_user_ms: number | null;
  readonly cpu_system_ms: number | null;
}

/** Something that a job waits for. */
export interface Wait {
  readonly reason: string;
  readonly message: string;
  readonly hint: string | null;
  readonly since: Time | null;
  readonly until: Time | null;
}

export interface JobDetails extends Job {
  /** Of the shell that enqueued it; null: it runs with that of its worker. */
  readonly environment: Record<string, string> | null;
  readonly waits_for: Wait[];
  readonly history: Attempt[];
}

export interface JobPage {
  readonly jobs: Job[];
  /** For `after` of the next page; null: there is no more. */
  readonly next: string | null;
  /** How many jobs were looked at when the time for one page was up; null: the page is as full as it can be. */
  readonly searched: number | null;
}

export interface JobCount {
  readonly count: number;
  /** false: there may be more. */
  readonly is_exact: boolean;
}

type Counts = { readonly [State in JobState]: number };

export interface Status extends Counts {
  readonly held: number;
  readonly limited: number;
  readonly active_workers: number;
  readonly oldest_pending_seconds: number | null;
  readonly next_retry_at: Time | null;
  readonly next_run_at: Time | null;
  readonly queues: (Counts & { readonly queue: string; readonly oldest_pending_seconds: number | null })[];
  readonly workers: WorkerCounts;
  readonly hosts: (WorkerCounts & { readonly host: string })[];
  readonly unserved_queues: string[];
  readonly paused_queues: string[];
  readonly all_paused: boolean;
  readonly groups: number;
  readonly schedules: number;
  readonly next_schedule_at: Time | null;
  readonly degraded: string[];
  /** Why workers that are well start nothing new. */
  readonly admission: string[];
  readonly db: string;
}

export interface WorkerCounts {
  readonly active: number;
  readonly busy: number;
  readonly lost: number;
}

export interface Worker {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly state: 'idle' | 'busy' | 'stopping' | 'lost';
  readonly started_at: Time;
  readonly last_heartbeat: Time;
  /** null: all of them. */
  readonly queues: string[] | null;
  readonly concurrency: number;
  readonly current_jobs: string[];
  /** Memory that its jobs may reserve, if it was told by a flag. */
  readonly memory_budget_bytes: number | null;
  readonly notice: string | null;
}

export interface Group extends Counts {
  readonly name: string;
  /** null: it has not ended. */
  readonly outcome: 'completed' | 'dead' | 'cancelled' | 'deleted' | null;
  readonly total: number;
  readonly ended: number;
  readonly concurrency: number | null;
  readonly created_at: Time;
}

/** A named queue. */
export interface NamedQueue extends Counts {
  readonly queue: string;
  /** How many serve it. */
  readonly workers: number;
  readonly paused: boolean;
  readonly paused_at: Time | null;
  readonly draining: boolean;
  readonly concurrency: number | null;
  readonly rate_per_second: number | null;
  readonly burst: number | null;
  readonly hooks: { on_success?: string; on_failure?: string; on_dead?: string };
  /** What its jobs may use and touch, whatever they say themselves. */
  readonly limits: Limits | null;
  readonly sandbox: string | null;
  readonly user: string | null;
}

/** A part of what an attempt wrote. */
export interface OutputChunk {
  /** Counts the bytes that the job wrote; greater than `next` before it where the middle was left out. */
  readonly offset: number;
  readonly next: number;
  readonly text: string;
}
