// The input schema of jobs for the CLI, HTTP and the library: field names, and the check of each value. Unknown fields
// are rejected by name before anything is stored.

import type { QueueError } from '../../errors/errors.ts';
import { nearest } from '../../text/nearest.ts';
import { type ConfinementInput, confinementFrom, isConfinementField } from './isolation-input.ts';
import type { Dependency } from '../flow/dependencies.ts';
import type { Hooks } from '../flow/hooks.ts';
import { addHooks } from './input-hooks.ts';
import { meantBy } from '../../text/synonyms/fields.ts';
import { describe, type InputContext, invalid, quote } from './input-readers.ts';
import { uniqueKeyOf } from './input-unique.ts';
import { inSnakeCase } from '../fields/field.ts';
import {
  ENTRIES,
  type FieldName,
  FIXED,
  inputNames,
  INPUT_RULES,
  type InputName,
  jsonEntries,
  type UnsetField,
} from '../fields/fields.ts';
import { DEFAULT_QUEUE, type NewJob } from '../job.ts';
import { addLimits, withBothLimits } from './limits-input.ts';
import { isOutcomeField, type OutcomeInput, outcomeRulesOf } from './outcome-input.ts';
import { commandOf } from './recipe-input.ts';

export { inSnakeCase } from '../fields/field.ts';
export type { InputContext } from './input-readers.ts';

/** Fields as given. Several of them may form one field of a job. */
type Said = Omit<NewJob, 'outcomeRules' | 'confinement'> & Required<OutcomeInput & ConfinementInput>;
export type Draft = { -readonly [K in keyof Said]?: Said[K] };

/** Values of unset fields, shared by all jobs to save memory and time. */
const UNSET = Object.fromEntries(
  ENTRIES.flatMap(([field, { unset }]) => (unset === undefined ? [] : [[field, unset]])),
) as Pick<NewJob, UnsetField & keyof NewJob>;

/** Copied for each job, because objects are created and read faster if all properties exist from the start. */
const BLANK: NewJob = {
  ...UNSET,
  id: '',
  command: '',
  maxRetries: 0,
  timeoutSeconds: null,
  cwd: null,
  outcomeRules: null,
  confinement: null,
};

/** Returns the fields that a job or its overrides set. */
export function fieldsSaid(
  raw: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>>,
  context: InputContext,
): string[] {
  const [own, said] = [readFields({ ...raw }, { ...context, zone: 'utc' }), readFields({ ...overrides }, context)];
  const names = Object.keys({ ...own, ...said });
  return [
    ...names,
    ...(names.some(isOutcomeField) ? ['outcomeRules'] : []),
    ...(names.some(isConfinementField) ? ['confinement'] : []),
  ];
}

/**
 * Checks the input of a job and fills in defaults. `overrides` (flags) replace fields of `raw`, even under another
 * name.
 */
export function parseJob(raw: unknown, overrides: Readonly<Record<string, unknown>>, context: InputContext): NewJob {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid(`a job must be a JSON object, not ${describe(raw)}`, 'write a job as {"command":"sleep 2"}');
  }
  const own = readFields(raw as Record<string, unknown>, { ...context, zone: 'utc' });
  const said = readFields(overrides, context);
  const draft: Draft = { ...own, ...said };
  checkLimited(draft);
  const confinement = confinementFrom(withBothLimits(draft, own, said));
  const command = commandOf(draft.command, confinement?.recipe);
  const { queue = DEFAULT_QUEUE } = draft;
  const { cwd = context.cwdIn ? context.cwdIn(queue) : context.cwd } = draft;
  const job: { -readonly [K in keyof NewJob]: NewJob[K] } = { ...BLANK };
  for (const field in draft)
    if (Object.hasOwn(UNSET, field)) (job as Record<string, unknown>)[field] = draft[field as keyof Draft];
  job.id = draft.id ?? context.newId();
  job.command = command;
  job.queue = queue;
  job.maxRetries = draft.maxRetries ?? context.defaults.maxRetries;
  job.timeoutSeconds = draft.timeoutSeconds ?? context.defaults.timeoutSeconds;
  job.cwd = cwd;
  job.hooks = bothHooks(own.hooks, said.hooks);
  job.groupHooks = bothHooks(own.groupHooks, said.groupHooks);
  job.uniqueKey = uniqueKeyOf(draft, job);
  job.outcomeRules = outcomeRulesOf(draft, job.timeoutSeconds);
  job.confinement = confinement;
  return job;
}

/** Rejects limits and hooks without a key or group, because they would silently have no effect. */
function checkLimited({ group, groupConcurrency, groupHooks, key, keyConcurrency }: Draft): void {
  if (keyConcurrency !== undefined && key === undefined) throw ofNothing('key_concurrency', 'key');
  if (group !== undefined) return;
  if (groupConcurrency !== undefined) throw ofNothing('group_concurrency', 'group');
  const [hook] = Object.keys(groupHooks ?? {});
  if (hook !== undefined) throw ofNothing(`group_${hook}`, 'group');
}

const ofNothing = (field: string, noun: string): QueueError =>
  invalid(`'${field}' requires a ${noun}`, `add '${noun}', or --${noun} NAME`);

const bothHooks = (own: Hooks | undefined, said: Hooks | undefined): Hooks =>
  own === undefined && said === undefined ? UNSET.hooks : { ...own, ...said };

/** Checks the given fields one by one. */
export function readFields(said: Record<string, unknown>, context: InputContext): Draft {
  const draft: Record<string, unknown> = {};
  const saidAs: Record<string, string> = {};
  for (const given of Object.keys(said)) {
    const value = said[given];
    const name = isField(given) ? given : inSnakeCase(given); // the usual case
    if (isFixed(name)) {
      checkFixed(name, value);
      continue;
    }
    if (!isField(name)) throw unknownField(given, name);
    const { field, input } = INPUT_RULES[name];
    if (value === null || value === undefined) continue;
    const add = ADDED[field];
    if (add !== undefined) {
      draft[field] = add(draft[field] as never, input.read(value, given, context) as never);
      continue;
    }
    const earlier = saidAs[field];
    if (earlier !== undefined) throw invalid(`'${earlier}' and '${given}' set the same field`, 'use only one of them');
    saidAs[field] = given;
    draft[field] = input.read(value, given, context);
  }
  return draft as Draft;
}

export function fieldNamed(given: string): FieldName {
  const name = inSnakeCase(given);
  if (isFixed(name)) throw setByUs(given);
  if (!isField(name)) throw unknownField(given, name);
  return INPUT_RULES[name].field;
}

/** Fields that several names can add to. */
const ADDED: { readonly [K in FieldName]?: (earlier: never, more: never) => unknown } = {
  hooks: addHooks,
  groupHooks: addHooks,
  limits: addLimits,
  dependsOn: (earlier: readonly Dependency[] = [], more: readonly Dependency[]) => [...earlier, ...more],
};

const isFixed = (name: string): name is keyof typeof FIXED => Object.hasOwn(FIXED, name);
const isField = (name: string): name is InputName => Object.hasOwn(INPUT_RULES, name);

/** Fields that only `show` prints. */
const IN_DETAILS = ['history', 'environment'];

const isOutputOnly = (name: string): boolean =>
  IN_DETAILS.includes(name) || jsonEntries().some((entry) => entry.name === name && !entry.isInput);

function checkFixed(name: keyof typeof FIXED, value: unknown): void {
  if (value === FIXED[name] || value === null) return;
  throw invalid(
    `'${name}' of a new job can only be ${JSON.stringify(FIXED[name])}, not ${describe(value)}`,
    `omit '${name}'`,
  );
}

const setByUs = (given: string): QueueError =>
  invalid(`'${given}' is set by queuectl, not by a user`, `omit '${given}'`);

function unknownField(given: string, name: string): QueueError {
  if (isOutputOnly(name)) return setByUs(given);
  const near = meantBy(name) ?? nearest(name, inputNames());
  return invalid(
    `unknown field ${quote(given)} in the job`,
    near ? `did you mean '${near}'?` : `known fields: ${inputNames().join(', ')}`,
  );
}
