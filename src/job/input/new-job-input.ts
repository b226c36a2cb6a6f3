// What may be given for a new job, under every name that src/job/input/input.ts knows. The two cannot drift apart: the rules there
// are a record of these fields. null says the same as leaving a field out.

import type { DependencyRule, FailurePolicy } from '../flow/dependencies.ts';
import type { Hooks } from '../flow/hooks.ts';
import type { BackoffStrategy, Command } from '../job.ts';
import type { LimitMode } from './limits-input.ts';
import type { IoClass } from '../isolation/resource-limits.ts';
import type { IfExists } from '../flow/unique.ts';

type Maybe<T> = T | null | undefined;

export type NewDependency = string | { readonly on: string; readonly rule?: DependencyRule };

export interface NewJobFields {
  readonly id?: Maybe<string>;
  readonly command?: Maybe<Command>;
  readonly cmd?: Maybe<Command>;
  readonly queue?: Maybe<string>;
  readonly priority?: Maybe<number>;
  readonly max_retries?: Maybe<number>;
  /** Starts in all: max_retries + 1. */
  readonly max_attempts?: Maybe<number>;
  readonly backoff_base?: Maybe<number>;
  readonly base_backoff?: Maybe<number>;
  readonly backoff_strategy?: Maybe<BackoffStrategy>;
  readonly timeout_seconds?: Maybe<number>;
  readonly timeout_ms?: Maybe<number>;
  /** Seconds, or a duration such as '5m'. */
  readonly timeout?: Maybe<number | string>;
  /** ISO 8601, where no zone means UTC; or relative: '+5m'. */
  readonly run_at?: Maybe<string>;
  readonly available_at?: Maybe<string>;
  readonly next_run_at?: Maybe<string>;
  readonly delay_seconds?: Maybe<number>;
  /** Seconds, or a duration such as '90s'. */
  readonly delay?: Maybe<number | string>;
  readonly cwd?: Maybe<string>;
  readonly env?: Maybe<Readonly<Record<string, string>>>;
  readonly split_output?: Maybe<boolean>;
  /** What the command reads from its standard input, at every attempt. */
  readonly stdin?: Maybe<string | Uint8Array>;
  /** Exactly these exit codes are a success. */
  readonly success_codes?: Maybe<readonly number[] | string>;
  /** Dead at once. */
  readonly no_retry_codes?: Maybe<readonly number[] | string>;
  /** It asks to be run again later. */
  readonly snooze_code?: Maybe<number>;
  /** 'USR1@60s', or 'USR1' beside warn_seconds. */
  readonly warn_signal?: Maybe<string>;
  readonly warn_seconds?: Maybe<number>;
  readonly name?: Maybe<string>;
  readonly group?: Maybe<string>;
  /** How many jobs of its group may run at once. */
  readonly group_concurrency?: Maybe<number>;
  /** Only so many jobs with the same key run at once. */
  readonly key?: Maybe<string>;
  /** How many; default: one. */
  readonly key_concurrency?: Maybe<number>;
  /** How many slots of a worker it takes; default: one. */
  readonly weight?: Maybe<number>;
  /** Ids, names, or 'group:NAME': it runs when all of them have completed, unless a rule says otherwise. */
  readonly depends_on?: Maybe<NewDependency | readonly NewDependency[]>;
  readonly after?: Maybe<NewDependency | readonly NewDependency[]>;
  readonly after_any_end?: Maybe<NewDependency | readonly NewDependency[]>;
  readonly after_failure?: Maybe<NewDependency | readonly NewDependency[]>;
  readonly on_dependency_failure?: Maybe<FailurePolicy>;
  /** Commands, or addresses of webhooks. Each can be given under its own name, too. */
  readonly hooks?: Maybe<Hooks>;
  readonly on_success?: Maybe<string>;
  readonly on_failure?: Maybe<string>;
  readonly on_dead?: Maybe<string>;
  /** The same for the end of its whole group. */
  readonly group_hooks?: Maybe<Hooks>;
  readonly group_on_success?: Maybe<string>;
  readonly group_on_failure?: Maybe<string>;
  readonly group_on_dead?: Maybe<string>;
  readonly tags?: Maybe<string | readonly string[]>;
  readonly tag?: Maybe<string | readonly string[]>;
  /** Only one job with this key is let in. true: only one with the same command, queue and folder. */
  readonly unique_key?: Maybe<string | true>;
  readonly unique?: Maybe<string | true>;
  /** 'waiting', 'unfinished', seconds, or a duration such as '10m'. */
  readonly unique_for?: Maybe<string | number>;
  readonly if_exists?: Maybe<IfExists>;
  /** How much of the machine it may use; each limit can be given under its own name, too. 'best-effort': as far as possible. */
  readonly limits?: Maybe<LimitMode | Readonly<Record<string, unknown>>>;
  /** A size such as '512M', or bytes. */
  readonly memory?: Maybe<string | number>;
  /** Seconds, or a duration. */
  readonly cpu_time?: Maybe<string | number>;
  /** '50%' of a core. */
  readonly cpu?: Maybe<string | number>;
  readonly processes?: Maybe<number>;
  readonly open_files?: Maybe<number>;
  readonly file_size?: Maybe<string | number>;
  readonly nice?: Maybe<number>;
  readonly io_class?: Maybe<IoClass>;
  /** The profile of the sandbox that it runs in. */
  readonly sandbox?: Maybe<string>;
  /** The user it runs as. */
  readonly user?: Maybe<string>;
  /** The recipe that makes its command, and its parameters. */
  readonly recipe?: Maybe<string>;
  readonly params?: Maybe<Readonly<Record<string, string | number | boolean>>>;
  /** Secrets that it is given: 'NAME', 'NAME=VARIABLE', 'NAME:file'. */
  readonly secrets?: Maybe<string | readonly string[]>;
  readonly secret?: Maybe<string | readonly string[]>;
}

/** Accepted so that the JSON of a stored job can be enqueued again, but only with the value that a new job has. */
export interface FixedFields {
  readonly state?: Maybe<'pending'>;
  readonly attempts?: Maybe<0>;
}

/** A new job as a program writes it. */
export type NewJobInput = NewJobFields &
  FixedFields &
  ({ readonly command: Command } | { readonly cmd: Command } | { readonly recipe: string });
