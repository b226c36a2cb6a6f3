// The one input schema behind CLI, HTTP and library: what a user may say of a job, under which names,
// and what each value must be. Anything else is refused by name, before anything is stored.

import { QueueError } from '../errors.ts';
import { nearest } from '../text/nearest.ts';
import {
  confinementFrom,
  isOfConfinement,
  type SaidOfConfinement,
  sandbox,
  user,
} from './confinement-input.ts';
import type { Hooks } from './hooks.ts';
import { dependencies, failurePolicy, groupName } from './input-flow.ts';
import { addHooks, hook, hooks } from './input-hooks.ts';
import { ifExists, uniqueFor, uniqueKey, uniquenessOf } from './input-unique.ts';
import {
  command,
  describe,
  env,
  flag,
  folder,
  id,
  type InputContext,
  INT32,
  integer,
  invalid,
  MAX_RETRIES,
  MAX_SECONDS,
  MAX_WEIGHT,
  number,
  quote,
  type Reader,
  seconds,
  strategy,
  tags,
  when,
} from './input-readers.ts';
import { DEFAULT_QUEUE, type NewJob } from './job.ts';
import type { FixedFields, NewJobFields } from './new-job-input.ts';
import {
  exitCode,
  exitCodes,
  isOfOutcome,
  outcomeRulesOf,
  type SaidOfOutcome,
  warnSignal,
} from './outcome-input.ts';
import { stdinBytes } from './stdin.ts';

export type { InputContext } from './input-readers.ts';

/** Several fields make one where they are about the same thing. */
type Said = Omit<NewJob, 'outcomeRules' | 'confinement'> & Required<SaidOfOutcome & SaidOfConfinement>;
export type Draft = { -readonly [K in keyof Said]?: Said[K] };
type Rule = {
  [K in Exclude<keyof Draft, 'schedule' | 'scheduledAt'>]-?: {
    field: K;
    read: Reader<NonNullable<Draft[K]>>;
  };
}[Exclude<keyof Draft, 'schedule' | 'scheduledAt'>];

const rules: Readonly<Record<keyof NewJobFields, Rule>> = {
  id: { field: 'id', read: id },
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
  name: { field: 'name', read: id },
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
  sandbox: { field: 'sandbox', read: sandbox },
  user: { field: 'user', read: user },
};

/** Accepted so that a stored job's own words can be said back, but only with the value a new job has. */
const fixed: Readonly<Record<keyof FixedFields, unknown>> = { state: 'pending', attempts: 0 };

export const INPUT_FIELDS: readonly string[] = [...Object.keys(rules), ...Object.keys(fixed)];

/** Fields a job has, but nobody can set. */
const outputOnly = new Set([
  'interruptions', 'created_at', 'updated_at', 'started_at', 'finished_at', 'duration_ms', 'exit_code',
  'signal', 'last_error', 'locked_by', 'locked_at', 'log_path', 'history', 'environment', 'held_reason', 'fingerprint',
  'schedule', 'scheduled_at', 'hook_of', 'snoozes', 'progress', 'progress_note', 'result', 'stdin_bytes',
]); // biome-ignore format: a list of words

/** Which fields of a job were said, in it or by what wins over it. */
export function fieldsSaid(
  raw: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>>,
  context: InputContext,
): string[] {
  const [own, said] = [
    readFields({ ...raw }, { ...context, zone: 'utc' }),
    readFields({ ...overrides }, context),
  ];
  const names = Object.keys({ ...own, ...said });
  return [
    ...names,
    ...(names.some(isOfOutcome) ? ['outcomeRules'] : []),
    ...(names.some(isOfConfinement) ? ['confinement'] : []),
  ];
}

/**
 * Checks what a user said of one job and fills in the rest. `overrides` (flags) win over `raw`, field by field,
 * whatever name either used.
 */
export function parseJob(
  raw: unknown,
  overrides: Readonly<Record<string, unknown>>,
  context: InputContext,
): NewJob {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid(
      `a job must be a JSON object, not ${describe(raw)}`,
      'a job looks like {"command":"sleep 2"}',
    );
  }
  const own = readFields(raw as Record<string, unknown>, { ...context, zone: 'utc' });
  const said = readFields(overrides, context);
  const draft: Draft = { ...own, ...said };
  if (draft.command === undefined) throw new QueueError('command_required');
  const { command, queue = DEFAULT_QUEUE, cwd = context.cwd } = draft;
  const { uniqueKey, uniqueFor, ifExists } = uniquenessOf(draft, { command, queue, cwd });
  return {
    id: draft.id ?? context.newId(),
    command,
    queue,
    priority: draft.priority ?? 0,
    maxRetries: draft.maxRetries ?? context.defaults.maxRetries,
    backoffBase: draft.backoffBase ?? null,
    backoffStrategy: draft.backoffStrategy ?? null,
    timeoutSeconds: draft.timeoutSeconds ?? context.defaults.timeoutSeconds,
    runAt: draft.runAt ?? null,
    cwd,
    env: draft.env ?? NO_VARIABLES,
    splitOutput: draft.splitOutput ?? false,
    name: draft.name ?? null,
    group: draft.group ?? null,
    groupConcurrency: draft.groupConcurrency ?? null,
    key: draft.key ?? null,
    keyConcurrency: draft.keyConcurrency ?? null,
    weight: draft.weight ?? null,
    dependsOn: draft.dependsOn ?? NONE,
    onDependencyFailure: draft.onDependencyFailure ?? 'cancel',
    schedule: null,
    scheduledAt: null,
    hooks: bothHooks(own.hooks, said.hooks),
    groupHooks: bothHooks(own.groupHooks, said.groupHooks),
    hookOf: null,
    tags: draft.tags ?? NONE,
    uniqueKey,
    uniqueFor,
    ifExists,
    outcomeRules: outcomeRulesOf(draft, draft.timeoutSeconds ?? context.defaults.timeoutSeconds),
    confinement: confinementFrom(draft),
    stdin: draft.stdin ?? null,
  };
}

/** The same for all jobs that say nothing of it, of which very many may come in at once. */
const NONE: readonly never[] = Object.freeze([]);
const NO_VARIABLES: NewJob['env'] = Object.freeze({});
const NO_HOOKS: Hooks = Object.freeze({});

const bothHooks = (own: Hooks | undefined, said: Hooks | undefined): Hooks =>
  own === undefined && said === undefined ? NO_HOOKS : { ...own, ...said };

/** The fields that were said, checked one by one. */
export function readFields(said: Record<string, unknown>, context: InputContext): Draft {
  const draft: Record<string, unknown> = {};
  const saidAs: Record<string, string> = {};
  for (const given of Object.keys(said)) {
    const value = said[given];
    const name = isField(given) ? given : inSnakeCase(given); // as it nearly always is
    if (isFixed(name)) {
      checkFixed(name, value);
      continue;
    }
    if (!isField(name)) throw unknownField(given, name);
    const rule = rules[name];
    if (value === null || value === undefined) continue;
    if (rule.field === 'hooks' || rule.field === 'groupHooks') {
      draft[rule.field] = addHooks(draft[rule.field] as Hooks | undefined, rule.read(value, given, context));
      continue;
    }
    if (MERGED.has(rule.field)) {
      draft[rule.field] = [
        ...((draft[rule.field] as unknown[] | undefined) ?? []),
        ...merged(rule, value, given, context),
      ];
      continue;
    }
    const earlier = saidAs[rule.field];
    if (earlier !== undefined)
      throw invalid(`'${earlier}' and '${given}' say the same thing`, 'keep one of them');
    saidAs[rule.field] = given;
    draft[rule.field] = rule.read(value, given, context);
  }
  return draft as Draft;
}

export const inSnakeCase = (given: string): string =>
  given.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The field that is meant by this name. */
export function fieldNamed(given: string): keyof Draft {
  const name = inSnakeCase(given);
  if (isFixed(name)) throw setByUs(given);
  if (!isField(name)) throw unknownField(given, name);
  return rules[name].field;
}

/** Fields that several names add to, each in its own way. */
const MERGED: ReadonlySet<string> = new Set<keyof Draft>(['dependsOn']);

const merged = (rule: Rule, value: unknown, given: string, context: InputContext): readonly unknown[] =>
  rule.read(value, given, context) as readonly unknown[];

const isFixed = (name: string): name is keyof FixedFields => Object.hasOwn(fixed, name);
const isField = (name: string): name is keyof NewJobFields => Object.hasOwn(rules, name);

function checkFixed(name: keyof FixedFields, value: unknown): void {
  if (value === fixed[name] || value === null) return;
  throw invalid(
    `'${name}' of a new job can only be ${JSON.stringify(fixed[name])}, not ${describe(value)}`,
    `leave '${name}' out`,
  );
}

const setByUs = (given: string): QueueError =>
  invalid(`'${given}' is set by queuectl, not by a user`, `leave '${given}' out`);

function unknownField(given: string, name: string): QueueError {
  if (outputOnly.has(name)) return setByUs(given);
  const near = nearest(name, INPUT_FIELDS);
  return invalid(
    `unknown field ${quote(given)} in the job`,
    near ? `did you mean '${near}'?` : `known fields: ${INPUT_FIELDS.join(', ')}`,
  );
}
