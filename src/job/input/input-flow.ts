// Reads the group and the dependencies of a job.

import { type Dependency, DEPENDENCY_RULES, type DependencyRule } from '../flow/dependencies.ts';
import { id, invalid, oneOf, type Reader, text, wrongType } from './input-readers.ts';

const GROUP_PREFIX = 'group:';

/** A name cannot begin like `group:NAME`, which distinguishes groups from jobs. */
export const groupName: Reader<string> = (value, field) => {
  const name = id(value, field);
  if (!name.startsWith(GROUP_PREFIX)) return name;
  throw invalid(
    `'${field}' must be a name without the prefix '${GROUP_PREFIX}'`,
    `try '${name.slice(GROUP_PREFIX.length)}'`,
  );
};

/** Reads one dependency or a list. Each is a text, or an object with its own rule. */
export function dependencies(rule: DependencyRule): Reader<readonly Dependency[]> {
  return (value, field) => {
    const given = Array.isArray(value) ? value : [value];
    if (given.length === 0) throw invalid(`'${field}' is an empty list`, `omit '${field}'`);
    return given.map((one) => dependency(one, field, rule));
  };
}

function dependency(value: unknown, field: string, rule: DependencyRule): Dependency {
  if (typeof value === 'string') return { ...parentOf(value, field), rule };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(field, 'a job, a group:NAME or a list of them', value);
  const { on, rule: own = rule, ...rest } = value as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw invalid(`unknown field '${unknown}' in '${field}'`, 'write a dependency as {"on":"ID","rule":"success"}');
  return { ...parentOf(text(on, `${field}.on`), field), rule: oneOf(DEPENDENCY_RULES)(own, `${field}.rule`) };
}

function parentOf(given: string, field: string): Pick<Dependency, 'kind' | 'on'> {
  if (!given.startsWith(GROUP_PREFIX)) return { kind: 'job', on: id(given, field) };
  return { kind: 'group', on: id(given.slice(GROUP_PREFIX.length), field) };
}
