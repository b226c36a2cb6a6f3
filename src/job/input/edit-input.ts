// Reads the edit of a waiting job: the same names and checks as for a new job, but only for editable fields. Null
// unsets an optional field.

import { confinementChange } from './isolation-edit.ts';
import type { Edit, HookChange } from './edit.ts';
import { type AnyField, type FieldName, FIELDS, jsonEntries, type ReplacedField } from '../fields/fields.ts';
import { HOOK_NAMES, type HookName } from '../flow/hooks.ts';
import { type Draft, fieldNamed, inSnakeCase, readFields } from './input.ts';
import { type InputContext, invalid } from './input-readers.ts';
import type { Job } from '../job.ts';
import { isOutcomeField, type OutcomeChange } from './outcome-input.ts';
import { type Json, jobToJson } from '../wire.ts';

export type EditInput = Readonly<Record<string, unknown>>;

type EditContext = Pick<InputContext, 'now' | 'zone' | 'cwd'>;

export function readEdit(said: EditInput, context: EditContext): Edit {
  const names = Object.keys(said);
  for (const name of names) checkEditable(name);
  const read = readFields({ ...said }, { ...context, ...NEVER_USED });
  const unset = names.filter((name) => said[name] === null);
  return {
    ...replaced(read, unset),
    ...outcomeOf(read, unset),
    ...hooksOf(read, names, unset),
    ...confinementOf(read, said),
  };
}

/** An edit generates no ID and fills in no defaults. */
const NEVER_USED = { newId: () => '', defaults: { maxRetries: 0, timeoutSeconds: null } };

const replaced = (read: Draft, unset: readonly string[]): Edit =>
  Object.fromEntries([
    ...Object.entries(read).filter(([field]) => isReplaced(field)),
    ...unset.filter((name) => isReplaced(fieldNamed(name))).map((name) => [fieldNamed(name), unsetValue(name)]),
  ]);

function outcomeOf(read: Draft, unset: readonly string[]): Pick<Edit, 'outcome'> {
  const outcome: OutcomeChange = Object.fromEntries([
    ...Object.entries(read).filter(([field]) => isOutcomeField(field)),
    ...unset.filter((name) => isOutcomeField(fieldNamed(name))).map((name) => [fieldNamed(name), null]),
  ]);
  return Object.keys(outcome).length === 0 ? {} : { outcome };
}

/** `hooks` replaces all hooks; `on_success` and the others replace one each. */
function hooksOf(read: Draft, names: readonly string[], unset: readonly string[]): Pick<Edit, 'hooks'> {
  const replacesAll = names.some((name) => inSnakeCase(name) === 'hooks');
  const removed = replacesAll ? HOOK_NAMES : unset.map(inSnakeCase).filter(isHook);
  const hooks: HookChange = { ...Object.fromEntries(removed.map((name) => [name, null])), ...read.hooks };
  return Object.keys(hooks).length === 0 ? {} : { hooks };
}

function confinementOf(read: Draft, said: EditInput): Pick<Edit, 'confinement'> {
  const byName = Object.fromEntries(Object.entries(said).map(([name, value]) => [inSnakeCase(name), value]));
  const confinement = confinementChange(read, byName);
  return confinement === undefined ? {} : { confinement };
}

const isHook = (name: string): name is HookName => (HOOK_NAMES as readonly string[]).includes(name);
const fieldOf = (name: string): AnyField => FIELDS[name as FieldName];
const isReplaced = (field: string): field is ReplacedField => fieldOf(field).edit?.startsWith('replace') === true;

function checkEditable(name: string): void {
  const { edit, noEdit: reason } = fieldOf(fieldNamed(name));
  if (edit !== undefined) return;
  if (reason === undefined)
    throw invalid(`'${name}' of a job cannot be edited`, `editable fields: ${editableNames().join(', ')}`);
  throw invalid(`'${name}' of a job cannot be edited: ${reason}`, 'cancel the job, then enqueue a new one');
}

function unsetValue(name: string): unknown {
  const { edit, unset = null } = fieldOf(fieldNamed(name));
  if (edit === 'replace or unset') return unset;
  throw invalid(`'${name}' requires a value`, 'it cannot be unset');
}

/** Returns the JSON names of the fields that can be edited. */
export const editableNames = (): string[] =>
  jsonEntries()
    .filter(({ field }) => fieldOf(field).edit !== undefined)
    .map(({ name }) => name);

/** Returns the editable fields of a job with their values, except variables, which may contain secrets. */
export function editableOf(job: Job): Json {
  const json = jobToJson(job);
  const shown = editableNames().filter((name) => name !== 'env');
  return Object.fromEntries(shown.map((name) => [name, json[name]]));
}
