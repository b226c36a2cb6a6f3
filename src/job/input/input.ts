// The one input schema behind CLI, HTTP and library: what a user may say of a job, under which names,
// and what each value must be. Anything else is refused by name, before anything is stored.

import type { QueueError } from '../../errors/errors.ts';
import { nearest } from '../../text/nearest.ts';
import { type ConfinementInput, confinementFrom, isConfinementField } from './isolation-input.ts';
import type { Hooks } from '../flow/hooks.ts';
import type { ResourceLimits } from '../isolation/resource-limits.ts';
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

/** What was given. Several fields make one where they are about the same thing. */
type Said = Omit<NewJob, 'outcomeRules' | 'confinement'> & Required<OutcomeInput & ConfinementInput>;
export type Draft = { -readonly [K in keyof Said]?: Said[K] };

/** The values of a new job that sets nothing. All jobs share them: very many may come in at once. */
const UNSET = Object.fromEntries(
  ENTRIES.flatMap(([field, { unset }]) => (unset === undefined ? [] : [[field, unset]])),
) as Pick<NewJob, UnsetField & keyof NewJob>;

/** Copied for each job: an object that has all its properties from the start is made and read faster. */
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

/** A limit or hook of nothing would be dropped without a word. */
function checkLimited({ group, groupConcurrency, groupHooks, key, keyConcurrency }: Draft): void {
  if (keyConcurrency !== undefined && key === undefined) throw ofNothing('key_concurrency', 'key');
  if (group !== undefined) return;
  if (groupConcurrency !== undefined) throw ofNothing('group_concurrency', 'group');
  const [hook] = Object.keys(groupHooks ?? {});
  if (hook !== undefined) throw ofNothing(`group_${hook}`, 'group');
}

const ofNothing = (field: string, noun: string): QueueError =>
  invalid(`'${field}' says something of a ${noun}, and none is named`, `add '${noun}', or --${noun} NAME`);

const bothHooks = (own: Hooks | undefined, said: Hooks | undefined): Hooks =>
  own === undefined && said === undefined ? UNSET.hooks : { ...own, ...said };

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
    const { field, input } = INPUT_RULES[name];
    if (value === null || value === undefined) continue;
    if (field === 'hooks' || field === 'groupHooks') {
      draft[field] = addHooks(draft[field] as Hooks | undefined, input.read(value, given, context) as Hooks);
      continue;
    }
    if (field === 'limits') {
      draft.limits = addLimits(
        draft.limits as Draft['limits'],
        input.read(value, given, context) as ResourceLimits,
      );
      continue;
    }
    if (MERGED.has(field)) {
      draft[field] = [
        ...((draft[field] as unknown[] | undefined) ?? []),
        ...(input.read(value, given, context) as readonly unknown[]),
      ];
      continue;
    }
    const earlier = saidAs[field];
    if (earlier !== undefined)
      throw invalid(`'${earlier}' and '${given}' say the same thing`, 'keep one of them');
    saidAs[field] = given;
    draft[field] = input.read(value, given, context);
  }
  return draft as Draft;
}

/** The field that is meant by this name. */
export function fieldNamed(given: string): FieldName {
  const name = inSnakeCase(given);
  if (isFixed(name)) throw setByUs(given);
  if (!isField(name)) throw unknownField(given, name);
  return INPUT_RULES[name].field;
}

/** Fields that several names add to, each in its own way. */
const MERGED: ReadonlySet<string> = new Set<FieldName>(['dependsOn']);

const isFixed = (name: string): name is keyof typeof FIXED => Object.hasOwn(FIXED, name);
const isField = (name: string): name is InputName => Object.hasOwn(INPUT_RULES, name);

/** Fields of the JSON that `show` prints. */
const IN_DETAILS = ['history', 'environment'];

const isOutputOnly = (name: string): boolean =>
  IN_DETAILS.includes(name) || jsonEntries().some((entry) => entry.name === name && !entry.isInput);

function checkFixed(name: keyof typeof FIXED, value: unknown): void {
  if (value === FIXED[name] || value === null) return;
  throw invalid(
    `'${name}' of a new job can only be ${JSON.stringify(FIXED[name])}, not ${describe(value)}`,
    `leave '${name}' out`,
  );
}

const setByUs = (given: string): QueueError =>
  invalid(`'${given}' is set by queuectl, not by a user`, `leave '${given}' out`);

function unknownField(given: string, name: string): QueueError {
  if (isOutputOnly(name)) return setByUs(given);
  const near = meantBy(name) ?? nearest(name, inputNames());
  return invalid(
    `unknown field ${quote(given)} in the job`,
    near ? `did you mean '${near}'?` : `known fields: ${inputNames().join(', ')}`,
  );
}
