// The fields of a job that a user may name: under which names, and how the value of each is read.

import { type ConfinementInput, sandbox, user } from './isolation-input.ts';
import { dependencies, failurePolicy, groupName } from './input-flow.ts';
import { hook, hooks } from './input-hooks.ts';
import { ifExists, uniqueFor, uniqueKey } from './input-unique.ts';
import {
  command,
  env,
  flag,
  folder,
  id,
  jobId,
  INT32,
  integer,
  MAX_RETRIES,
  MAX_SECONDS,
  MAX_WEIGHT,
  number,
  type Reader,
  seconds,
  strategy,
  tags,
  when,
} from './input-readers.ts';
import type { NewJob } from '../job.ts';
import { LIMIT_RULES } from './limits-input.ts';
import type { FixedFields, NewJobFields } from './new-job-input.ts';
import { exitCode, exitCodes, type OutcomeInput, warnSignal } from './outcome-input.ts';
import { params, recipeName } from './recipe-input.ts';
import { secrets } from './secret-input.ts';
import { stdinBytes } from './stdin.ts';

/** Several fields make one where they are about the same thing. */
type Said = Omit<NewJob, 'outcomeRules' | 'confinement'> & Required<OutcomeInput & ConfinementInput>;
export type Draft = { -readonly [K in keyof Said]?: Said[K] };
export type Rule = {
  [K in Exclude<keyof Draft, 'schedule' | 'scheduledAt'>]-?: {
    field: K;
    read: Reader<NonNullable<Draft[K]>>;
  };
}[Exclude<keyof Draft, 'schedule' | 'scheduledAt'>];

export const RULES: Readonly<Record<keyof NewJobFields, Rule>> = {
  id: { field: 'id', read: jobId },
  command: { field: 'command', read: command },
  cmd: { field: 'command', read: command },
  queue: { field: 'queue', read: id },
  priority: { field: 'priority', read: integer(-INT32 - 1, INT32) },
  max_retries: { field: 'maxRetries', read: integer(0, MAX_RETRIES) },
  max_attempts: { field: 'maxRetries', read: (...args) => integer(1, MAX_RETRIES + 1)(...args) - 1 },
  backoff_base: { field: 'backoffBase', read: number(0, MAX_SECONDS) },
  base_backoff: { field: 'backoffBase', read: number(0, MAX_SECONDS) },
  backoff_strategy: { field: 'backoffStrategy', read: strategy },
  timeout_seconds: { field: 'timeoutSeconds', read: number(0.001, MAX_SECONDS) },
  timeout_ms: { field: 'timeoutSeconds', read: (...args) => number(1, MAX_SECONDS * 1000)(...args) / 1000 },
  timeout: { field: 'timeoutSeconds', read: seconds(0.001) },
  run_at: { field: 'runAt', read: when },
  available_at: { field: 'runAt', read: when },
  next_run_at: { field: 'runAt', read: when },
  delay_seconds: {
    field: 'runAt',
    read: (v, n, c) => c.now + Math.round(number(0, MAX_SECONDS)(v, n, c) * 1000),
  },
  delay: { field: 'runAt', read: (v, n, c) => c.now + Math.round(seconds(0)(v, n, c) * 1000) },
  cwd: { field: 'cwd', read: folder },
  env: { field: 'env', read: env },
  split_output: { field: 'splitOutput', read: flag },
  stdin: { field: 'stdin', read: stdinBytes },
  success_codes: { field: 'successCodes', read: exitCodes },
  no_retry_codes: { field: 'noRetryCodes', read: exitCodes },
  snooze_code: { field: 'snoozeCode', read: exitCode },
  warn_signal: { field: 'warnSignal', read: warnSignal },
  warn_seconds: { field: 'warnSeconds', read: number(0, MAX_SECONDS) },
  name: { field: 'name', read: jobId },
  group: { field: 'group', read: groupName },
  group_concurrency: { field: 'groupConcurrency', read: integer(1, INT32) },
  key: { field: 'key', read: id },
  key_concurrency: { field: 'keyConcurrency', read: integer(1, INT32) },
  weight: { field: 'weight', read: integer(1, MAX_WEIGHT) },
  depends_on: { field: 'dependsOn', read: dependencies('success') },
  after: { field: 'dependsOn', read: dependencies('success') },
  after_any_end: { field: 'dependsOn', read: dependencies('end') },
  after_failure: { field: 'dependsOn', read: dependencies('failure') },
  on_dependency_failure: { field: 'onDependencyFailure', read: failurePolicy },
  hooks: { field: 'hooks', read: hooks },
  group_hooks: { field: 'groupHooks', read: hooks },
  group_on_success: { field: 'groupHooks', read: hook('on_success') },
  group_on_failure: { field: 'groupHooks', read: hook('on_failure') },
  group_on_dead: { field: 'groupHooks', read: hook('on_dead') },
  on_success: { field: 'hooks', read: hook('on_success') },
  on_failure: { field: 'hooks', read: hook('on_failure') },
  on_dead: { field: 'hooks', read: hook('on_dead') },
  tags: { field: 'tags', read: tags },
  tag: { field: 'tags', read: tags },
  unique_key: { field: 'uniqueKey', read: uniqueKey },
  unique: { field: 'uniqueKey', read: uniqueKey },
  unique_for: { field: 'uniqueFor', read: uniqueFor },
  if_exists: { field: 'ifExists', read: ifExists },
  ...LIMIT_RULES,
  sandbox: { field: 'sandbox', read: sandbox },
  user: { field: 'user', read: user },
  recipe: { field: 'recipe', read: recipeName },
  params: { field: 'params', read: params },
  secrets: { field: 'secrets', read: secrets },
  secret: { field: 'secrets', read: secrets },
};

/** Accepted so that the JSON of a stored job can be enqueued again, but only with the value a new job has. */
export const FIXED: Readonly<Record<keyof FixedFields, unknown>> = { state: 'pending', attempts: 0 };

export const INPUT_FIELDS: readonly string[] = [...Object.keys(RULES), ...Object.keys(FIXED)];

export { OUTPUT_ONLY } from './output-only.ts';
