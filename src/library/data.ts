// What goes in and out of the library: plain data, the same JSON as `--json` prints and the HTTP API answers. Types alone: the
// package hands this file to TypeScript as it is. A test compares it with the schemas of the API.

export type * from './new-job-data.ts';
export type * from './schedule-data.ts';

/** ISO 8601, UTC, with milliseconds. */
export type Time = string;

export type JobState = 'blocked' | 'pending' | 'processing' | 'failed' | 'completed' | 'dead' | 'cancelled';

/** The same as it is answered, with units. */
export interface Limits {
  readonly memory_bytes?: number | undefined;
  readonly cpu_seconds?: number | undefined;
  readonly cpu_percent?: number | undefined;
  readonly processes?: number | undefined;
  readonly open_files?: number | undefined;
  readonly file_bytes?: number | undefined;
  readonly nice?: number | undefined;
  readonly io_class?: 'best-effort' | 'idle' | undefined;
  readonly mode?: 'best-effort' | undefined;
}

export interface Job {
  readonly id: string;
  readonly name: string | null;
  readonly command: string | string[];
  readonly queue: string;
  readonly group: string | null;
  readonly state: JobState;
  readonly priority: number;
  /** Starts since it was enqueued or retried by hand, those cut short by a lost worker not counted. */
  readonly attempts: number;
  readonly interruptions: number;
  readonly snoozes: number;
  readonly max_retries: number;
  readonly backoff_base: number | null;
  readonly backoff_strategy: 'exponential' | 'linear' | 'fixed' | null;
  readonly timeout_seconds: number | null;
  readonly run_at: Time | null;
  /** When it may next start. */
  readonly next_run_at: Time | null;
  readonly key: string | null;
  readonly key_concurrency: number | null;
  readonly weight: number;
  readonly depends_on: (string | { on: string; rule: string })[];
  readonly on_dependency_failure: string;
  readonly schedule: string | null;
  readonly scheduled_at: Time | null;
  readonly hooks: Record<string, unknown> | null;
  readonly hook_of: string | null;
  readonly tags: string[];
  readonly unique_key: string | null;
  readonly held: boolean;
  readonly held_reason: string | null;
  readonly cwd: string | null;
  /** Values that may not be seen are '***'. */
  readonly env: Record<string, string>;
  readonly split_output: boolean;
  readonly stdin_bytes: number | null;
  readonly success_codes: number[];
  readonly no_retry_codes: number[];
  readonly snooze_code: number | null;
  readonly warn_signal: string | null;
  readonly warn_seconds: number | null;
  readonly limits: Limits | null;
  readonly sandbox: string | null;
  readonly user: string | null;
  readonly recipe: string | null;
  readonly params: Record<string, string> | null;
  /** Names, never values. */
  readonly secrets: string[];
  readonly created_at: Time;
  readonly updated_at: Time;
  readonly started_at: Time | null;
  readonly finished_at: Time | null;
  readonly duration_ms: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly last_error: string | null;
  /** The kind of its failure, for a filter: error:err-… */
  readonly fingerprint: string | null;
  readonly locked_by: string | null;
  readonly locked_at: Time | null;
  readonly log_path: string | null;
  /** Of its last attempt. */
  readonly peak_memory_bytes: number | null;
  readonly cpu_user_ms: number | null;
  readonly cpu_system_ms: number | null;
  readonly progress: number | null;
  readonly progress_note: string | null;
  /** What it hands on, as it said it. */
  readonly result: unknown;
}

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
