// What a user may change of a job that waits: the same names and checks as for a new one, but only some of the fields.
// null unsets a field that is optional.

import { confinementChange, EDITED_CONFINEMENT } from './isolation-edit.ts';
import { type Edit, type HookChange, REPLACED_FIELDS, type ReplacedField } from './edit.ts';
import { HOOK_NAMES, type HookName } from '../flow/hooks.ts';
import { type Draft, fieldNamed, inSnakeCase, readFields } from './input.ts';
import { type InputContext, invalid } from './input-readers.ts';
import type { Job } from '../job.ts';
import { isOutcomeField, OUTCOME_FIELDS, type OutcomeChange } from './outcome-input.ts';
import { type Json, jobToJson } from '../wire.ts';

export type EditInput = Readonly<Record<string, unknown>>;

type EditContext = Pick<InputContext, 'now' | 'zone' | 'cwd'>;

/** The default of each optional field; the others are required. */
const UNSAID: Readonly<Partial<Record<ReplacedField, unknown>>> = {
  backoffBase: null,
  backoffStrategy: null,
  timeoutSeconds: null,
  runAt: null,
  env: {},
  name: null,
  tags: [],
  key: null,
  keyConcurrency: null,
  weight: null,
};

export function readEdit(said: EditInput, context: EditContext): Edit {
  const names = Object.keys(said);
  for (const name of names) checkEditable(name);
  const read = readFields({ ...said }, { ...context, ...NEVER_USED });
  const taken = names.filter((name) => said[name] === null);
  return {
    ...replaced(read, taken),
    ...outcomeOf(read, taken),
    ...hooksOf(read, names, taken),
    ...confinementOf(read, said),
  };
}

/** An edit makes up no id and fills nothing in. */
const NEVER_USED = { newId: () => '', defaults: { maxRetries: 0, timeoutSeconds: null } };

const replaced = (read: Draft, taken: readonly string[]): Edit =>
  Object.fromEntries([
    ...Object.entries(read).filter(([field]) => isReplaced(field)),
    ...taken.filter((name) => isReplaced(fieldNamed(name))).map((name) => [fieldNamed(name), unsaid(name)]),
  ]);

function outcomeOf(read: Draft, taken: readonly string[]): Pick<Edit, 'outcome'> {
  const outcome: OutcomeChange = Object.fromEntries([
    ...Object.entries(read).filter(([field]) => isOutcomeField(field)),
    ...taken.filter((name) => isOutcomeField(fieldNamed(name))).map((name) => [fieldNamed(name), null]),
  ]);
  return Object.keys(outcome).length === 0 ? {} : { outcome };
}

/** `hooks` says all of them, `on_success` and the others one each. */
function hooksOf(read: Draft, names: readonly string[], taken: readonly string[]): Pick<Edit, 'hooks'> {
  const saysAll = names.some((name) => inSnakeCase(name) === 'hooks');
  const gone = saysAll ? HOOK_NAMES : taken.map(inSnakeCase).filter(isHook);
  const hooks: HookChange = { ...Object.fromEntries(gone.map((name) => [name, null])), ...read.hooks };
  return Object.keys(hooks).length === 0 ? {} : { hooks };
}

function confinementOf(read: Draft, said: EditInput): Pick<Edit, 'confinement'> {
  const byName = Object.fromEntries(Object.entries(said).map(([name, value]) => [inSnakeCase(name), value]));
  const confinement = confinementChange(read, byName);
  return confinement === undefined ? {} : { confinement };
}

const isHook = (name: string): name is HookName => (HOOK_NAMES as readonly string[]).includes(name);
const isReplaced = (field: string): field is ReplacedField =>
  (REPLACED_FIELDS as readonly string[]).includes(field);
const isEditable = (field: string): boolean =>
  isReplaced(field) || isOutcomeField(field) || field === 'hooks' || isConfining(field);
const isConfining = (field: string): boolean => (EDITED_CONFINEMENT as readonly string[]).includes(field);

const FLOW_REASON = 'what a job waits for is settled when it is enqueued';
const GROUP_REASON = 'a job stays in the group that it was enqueued in';
const UNIQUE_REASON = 'whether a job is unique is settled when it is enqueued';
const RECIPE_REASON = 'a job keeps the recipe and the parameters that it was made from';
const REASONS: Readonly<Partial<Record<keyof Draft, string>>> = {
  dependsOn: FLOW_REASON,
  onDependencyFailure: FLOW_REASON,
  group: GROUP_REASON,
  groupConcurrency: GROUP_REASON,
  groupHooks: GROUP_REASON,
  uniqueKey: UNIQUE_REASON,
  uniqueFor: UNIQUE_REASON,
  ifExists: UNIQUE_REASON,
  recipe: RECIPE_REASON,
  params: RECIPE_REASON,
  stdin: 'what a job reads is stored when it is enqueued',
};

function checkEditable(name: string): void {
  const field = fieldNamed(name);
  if (isEditable(field)) return;
  const reason = REASONS[field];
  if (reason === undefined)
    throw invalid(`'${name}' of a job cannot be edited`, `what can be: ${editableNames().join(', ')}`);
  throw invalid(
    `'${name}' of a job cannot be edited: ${reason}`,
    'cancel it, and enqueue another in its place',
  );
}

function unsaid(name: string): unknown {
  const field = fieldNamed(name) as ReplacedField;
  if (Object.hasOwn(UNSAID, field)) return UNSAID[field];
  throw invalid(`'${name}' cannot be left without a value`, 'give it one');
}

/** As they are called in JSON. */
export const editableNames = (): string[] =>
  [...REPLACED_FIELDS, ...OUTCOME_FIELDS, 'hooks', ...EDITED_CONFINEMENT].map(inSnakeCase);

/** What can be edited of a job, as it is. Without its variables: their values may be secrets. */
export function editableOf(job: Job): Json {
  const json = jobToJson(job);
  const shown = editableNames().filter((name) => name !== 'env');
  return Object.fromEntries(shown.map((name) => [name, json[name]]));
}
