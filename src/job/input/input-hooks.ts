// Reads the hooks of a job: shell commands or webhook URLs.

import { HOOK_NAMES, type HookName, type Hooks, problemWithHook } from '../flow/hooks.ts';
import { inSnakeCase } from '../fields/field.ts';
import { invalid, type Reader, text, wrongType } from './input-readers.ts';
import { nearest } from '../../text/nearest.ts';

const EXPECTED = 'a shell command or a URL such as "https://example.com/hook"';

function hookTarget(value: unknown, field: string): string {
  const target = text(value, field, EXPECTED).trim();
  if (target === '') throw invalid(`'${field}' is empty`, `omit '${field}'`);
  const found = problemWithHook(target);
  if (found) throw invalid(`'${field}': ${found.problem}`, found.hint);
  return target;
}

export const hook =
  (name: HookName): Reader<Hooks> =>
  (value, field) => ({ [name]: hookTarget(value, field) });

export function hooks(value: unknown, field: string): Hooks {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(field, `an object of ${HOOK_NAMES.join(', ')}`, value);
  const entries = Object.entries(value).filter(([, target]) => target !== null);
  return Object.fromEntries(
    entries.map(([name, target]) => [known(name, field), hookTarget(target, `${field}.${name}`)]),
  );
}

function known(name: string, field: string): HookName {
  const found = HOOK_NAMES.find((one) => one === inSnakeCase(name));
  if (found) return found;
  const near = nearest(name, HOOK_NAMES);
  throw invalid(
    `unknown field '${name}' in '${field}'`,
    near ? `did you mean '${near}'?` : `use ${HOOK_NAMES.join(', ')}`,
  );
}

/** Combines hooks given under several names. Throws if a hook is given twice. */
export function addHooks(earlier: Hooks = {}, more: Hooks): Hooks {
  const twice = HOOK_NAMES.find((name) => earlier[name] !== undefined && more[name] !== undefined);
  if (twice) throw invalid(`'${twice}' is given twice`, 'use only one of them');
  return { ...earlier, ...more };
}

/** Reads hooks without a job, as for a queue or a group. */
export const checkedHooks = (value: Readonly<Record<string, unknown>>): Hooks => hooks(value, 'hooks');
