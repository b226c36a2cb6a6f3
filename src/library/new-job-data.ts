// What goes into the library as a new job: plain data, and types alone, as in data.ts.

/** A string runs in the shell; a list runs as it is. */
export type Command = string | readonly string[];

/** 'k3f9', a name, or 'group:NAME'; with a rule other than success as an object. */
export type Dependency = string | { readonly on: string; readonly rule?: 'success' | 'failure' | 'end' };

/** Commands, or addresses of webhooks. */
export interface Hooks {
  readonly on_success?: string;
  readonly on_failure?: string;
  readonly on_dead?: string;
}

/** A job as it is enqueued: with a command, or with a recipe that makes it. */
export type NewJob = NewJobFields & ({ readonly command: Command } | { readonly recipe: string });

/** What is left out has its default. */
export interface NewJobFields {
  readonly command?: Command;
  /** Unique; made up when it is left out. */
  readonly id?: string;
  /** What people call it; several jobs may have the same name, and the newest is meant. */
  readonly name?: string;
  /** Default: 'default'. */
  readonly queue?: string;
  /** Higher first; default: 0. */
  readonly priority?: number;
  /** After the first attempt; default: the setting max_retries. */
  readonly max_retries?: number;
  readonly backoff_base?: number;
  readonly backoff_strategy?: 'exponential' | 'linear' | 'fixed';
  /** Of one attempt. */
  readonly timeout_seconds?: number;
  /** Not before this time: ISO 8601, where no zone means UTC, or '+5m'. */
  readonly run_at?: string;
  readonly delay_seconds?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the command reads from its standard input, at every attempt. */
  readonly stdin?: string;
  /** Keep stdout and stderr apart. */
  readonly split_output?: boolean;
  /** Exactly these exit codes are a success. */
  readonly success_codes?: readonly number[];
  /** Dead at once. */
  readonly no_retry_codes?: readonly number[];
  /** By this exit code it asks to be run again later. */
  readonly snooze_code?: number;
  readonly warn_signal?: string;
  readonly warn_seconds?: number;
  /** How much of the machine it may use: '512M' of memory, '60s' of CPU time, '50%' of a core. */
  readonly limits?: NewLimits;
  /** The profile of the sandbox that it runs in. */
  readonly sandbox?: string;
  /** The user it runs as. */
  readonly user?: string;
  /** The recipe that makes its command of the parameters. */
  readonly recipe?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** NAME, NAME=VAR, NAME:file: secrets that it is given in a variable or a file. */
  readonly secrets?: readonly string[];
  readonly group?: string;
  /** How many jobs of its group may run at once. */
  readonly group_concurrency?: number;
  /** Of jobs with the same key only so many run at once: key_concurrency, or one. */
  readonly key?: string;
  readonly key_concurrency?: number;
  /** How many slots of a worker it takes; default: one. */
  readonly weight?: number;
  /** It runs when all of these have completed, unless a rule says otherwise. */
  readonly depends_on?: Dependency | readonly Dependency[];
  readonly on_dependency_failure?: 'cancel' | 'run' | 'hold';
  readonly hooks?: Hooks;
  /** For the end of its whole group. */
  readonly group_hooks?: Hooks;
  readonly tags?: readonly string[];
  /** Only one job with this key is let in. true: only one with the same command, queue and folder. */
  readonly unique_key?: string | true;
  /** 'waiting', 'unfinished', seconds, or a duration such as '10m'. */
  readonly unique_for?: string | number;
  readonly if_exists?: 'skip' | 'replace' | 'error';
}

/** What a job may use at the most. */
export type NewLimits = {
  readonly memory?: string | number;
  readonly cpu_time?: string | number;
  readonly cpu?: string | number;
  readonly processes?: number;
  readonly open_files?: number;
  readonly file_size?: string | number;
  readonly nice?: number;
  readonly io_class?: 'best-effort' | 'idle';
  /** What cannot be enforced is left out. */
  readonly mode?: 'strict' | 'best-effort';
};
