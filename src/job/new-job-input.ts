// What may be said of a new job, under every name that src/job/input.ts knows. The two cannot drift apart: the rules there
// are a record of these fields. null says the same as leaving a field out.

import type { BackoffStrategy, Command } from './job.ts';

type Maybe<T> = T | null | undefined;

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
}

/** Accepted so that what a stored job says of itself can be said back, but only with the value that a new job has. */
export interface FixedFields {
  readonly state?: Maybe<'pending'>;
  readonly attempts?: Maybe<0>;
}

/** A new job as a program writes it. */
export type NewJobInput = NewJobFields &
  FixedFields &
  ({ readonly command: Command } | { readonly cmd: Command });
