// Data types of the library: the JSON that `--json` prints and the HTTP API returns. Types only: the package ships this
// file to TypeScript unchanged. A test compares it with the API's schemas.

import type { Job, JobState, Limits, Time } from './job-data.ts';

export type * from './job-data.ts';
export type * from './schedule-data.ts';

/** One start of a job's command. */
export interface Attempt {
  readonly number: number;
  /** Unique among the attempts of the job, including lost ones. */
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
  /** Peak memory of all its processes; null if unknown or still running. */
  readonly peak_memory_bytes: number | null;
  readonly cpu_user_ms: number | null;
  readonly cpu_system_ms: number | null;
}

/** A reason why a job is waiting. */
export interface Wait {
  readonly reason: string;
  readonly message: string;
  readonly hint: string | null;
  readonly since: Time | null;
  readonly until: Time | null;
}

export interface JobDetails extends Job {
  /** Environment of the enqueuing shell; null if the job uses its worker's. */
  readonly environment: Record<string, string> | null;
  readonly waits_for: Wait[];
  readonly history: Attempt[];
}

export interface JobPage {
  readonly jobs: Job[];
  /** Value for `after` of the next page; null at the end. */
  readonly next: string | null;
  /** Number of jobs searched when the time limit was reached; null if the page is complete. */
  readonly searched: number | null;
}

export interface JobCount {
  readonly count: number;
  /** False if there may be more. */
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
  /** Why healthy workers start nothing new. */
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
  /** Null for all queues. */
  readonly queues: string[] | null;
  readonly concurrency: number;
  readonly current_jobs: string[];
  /** Memory that its jobs may reserve, if set by a flag. */
  readonly memory_budget_bytes: number | null;
  readonly notice: string | null;
}

export interface Group extends Counts {
  readonly name: string;
  /** Null if unfinished. */
  readonly outcome: 'completed' | 'dead' | 'cancelled' | 'deleted' | null;
  readonly total: number;
  readonly ended: number;
  readonly concurrency: number | null;
  readonly created_at: Time;
}

/** A named queue. */
export interface NamedQueue extends Counts {
  readonly queue: string;
  /** Number of workers serving it. */
  readonly workers: number;
  readonly paused: boolean;
  readonly paused_at: Time | null;
  readonly draining: boolean;
  readonly concurrency: number | null;
  readonly rate_per_second: number | null;
  readonly burst: number | null;
  readonly hooks: { on_success?: string; on_failure?: string; on_dead?: string };
  /** Isolation that applies to all its jobs. */
  readonly limits: Limits | null;
  readonly sandbox: string | null;
  readonly user: string | null;
}

/** A part of an attempt's output. */
export interface OutputChunk {
  /** Byte offset in the job's output; larger than the previous `next` if bytes were dropped. */
  readonly offset: number;
  readonly next: number;
  readonly text: string;
}
