// The one input schema behind CLI, HTTP and library: what a user may say of a job, under which names,
// and what each value must be. Anything else is refused by name, before anything is stored.

import type { QueueError } from '../../errors/errors.ts';
import { nearest } from '../../text/nearest.ts';
import { confinementFrom, isConfinementField } from './isolation-input.ts';
import type { Hooks } from '../flow/hooks.ts';
import { addHooks } from './input-hooks.ts';
import { meantBy } from '../../text/synonyms/fields.ts';
import { describe, type InputContext, invalid, quote } from './input-readers.ts';
import { type Draft, FIXED, INPUT_FIELDS, OUTPUT_ONLY, RULES, type Rule } from './input-rules.ts';
import { uniquenessOf } from './input-unique.ts';
import { DEFAULT_QUEUE, type NewJob } from '../job.ts';
import { addLimits, withBothLimits } from './limits-input.ts';
import type { FixedFields, NewJobFields } from './new-job-input.ts';
import { isOutcomeField, outcomeRulesOf } from './outcome-input.ts';
import { commandOf } from './recipe-input.ts';

export { type Draft, INPUT_FIELDS } from './input-rules.ts';
export type { InputContext } from './input-readers.ts';

/** Which fields of a job were given, in it or by what overrides it. */
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
    ...(names.some(isOutcomeField) ? ['outcomeRules'] : []),
    ...(names.some(isConfinementField) ? ['confinement'] : []),
  ];
}

/**
 * Checks the input for one job and fills in the rest. `overrides` (flags) win over `raw`, field by field,
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
  checkLimited(draft);
  const confinement = confinementFrom(withBothLimits(draft, own, said));
  const command = commandOf(draft.command, confinement?.recipe);
  const { queue = DEFAULT_QUEUE } = draft;
  const { cwd = context.cwdIn ? context.cwdIn(queue) : context.cwd } = draft;
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
    confinement,
    stdin: draft.stdin ?? null,
  };
}

/** A limit or hook of nothing would be dropped without a word. */
function checkLimited({ group, groupConcurrency, groupHooks, key, keyConcurrency }: Draft): void {
  if (keyConcurrency !== undefined && key === undefined) throw ofNothing('key_concurrency', 'key');
  if (group !== undefined) return;
  if (groupConcurrency !== undefined) throw ofNothing('group_concurrency', 'group');
  const [hook] = Object.keys(groupHooks ?? NO_HOOKS);
  if (hook !== undefined) throw ofNothing(`group_${hook}`, 'group');
}

const ofNothing = (field: string, noun: string): QueueError =>
  invalid(`'${field}' says something of a ${noun}, and none is named`, `add '${noun}', or --${noun} NAME`);

/** The same for all jobs that say nothing of it, of which very many may come in at once. */
const NONE: readonly never[] = Object.freeze([]);
const NO_VARIABLES: NewJob['env'] = Object.freeze({});
const NO_HOOKS: Hooks = Object.freeze({});

const bothHooks = (own: Hooks | undefined, said: Hooks | undefined): Hooks =>
  own === undefined && said === undefined ? NO_HOOKS : { ...own, ...said };

/** The fields that were given, checked one by one. */
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
    const rule = RULES[name];
    if (value === null || value === undefined) continue;
    if (rule.field === 'hooks' || rule.field === 'groupHooks') {
      draft[rule.field] = addHooks(draft[rule.field] as Hooks | undefined, rule.read(value, given, context));
      continue;
    }
    if (rule.field === 'limits') {
      draft.limits = addLimits(draft.limits as Draft['limits'], rule.read(value, given, context));
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
  return RULES[name].field;
}

/** Fields that several names add to, each in its own way. */
const MERGED: ReadonlySet<string> = new Set<keyof Draft>(['dependsOn']);

const merged = (rule: Rule, value: unknown, given: string, context: InputContext): readonly unknown[] =>
  rule.read(value, given, context) as readonly unknown[];

const isFixed = (name: string): name is keyof FixedFields => Object.hasOwn(FIXED, name);
const isField = (name: string): name is keyof NewJobFields => Object.hasOwn(RULES, name);

function checkFixed(name: keyof FixedFields, value: unknown): void {
  if (value === FIXED[name] || value === null) return;
  throw invalid(
    `'${name}' of a new job can only be ${JSON.stringify(FIXED[name])}, not ${describe(value)}`,
    `leave '${name}' out`,
  );
}

const setByUs = (given: string): QueueError =>
  invalid(`'${given}' is set by queuectl, not by a user`, `leave '${given}' out`);

function unknownField(given: string, name: string): QueueError {
  if (OUTPUT_ONLY.has(name)) return setByUs(given);
  const near = meantBy(name) ?? nearest(name, INPUT_FIELDS);
  return invalid(
    `unknown field ${quote(given)} in the job`,
    near ? `did you mean '${near}'?` : `known fields: ${INPUT_FIELDS.join(', ')}`,
  );
}
