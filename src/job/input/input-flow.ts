// How a job's place in a flow is read: its group, and what it waits for.

import {
  type Dependency,
  DEPENDENCY_RULES,
  type DependencyRule,
  FAILURE_POLICIES,
  type FailurePolicy,
} from '../flow/dependencies.ts';
import { describe, id, invalid, type Reader, text, wrongType } from './input-readers.ts';

const GROUP_PREFIX = 'group:';

/** A colon is for `group:NAME` to tell a group from a job. */
export const groupName: Reader<string> = (value, field) => {
  const name = id(value, field);
  if (!name.startsWith(GROUP_PREFIX)) return name;
  throw invalid(
    `'${field}' is the name alone, without '${GROUP_PREFIX}'`,
    `try '${name.slice(GROUP_PREFIX.length)}'`,
  );
};

export const failurePolicy: Reader<FailurePolicy> = (value, field) => oneOf(FAILURE_POLICIES, value, field);

/** One, or a list of them; each a text, or an object with its own rule. */
export function dependencies(rule: DependencyRule): Reader<readonly Dependency[]> {
  return (value, field) => {
    const given = Array.isArray(value) ? value : [value];
    if (given.length === 0) throw invalid(`'${field}' is an empty list`, `leave '${field}' out`);
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
    throw invalid(`unknown field '${unknown}' in '${field}'`, 'it looks like {"on":"ID","rule":"success"}');
  return { ...parentOf(text(on, `${field}.on`), field), rule: oneOf(DEPENDENCY_RULES, own, `${field}.rule`) };
}

function parentOf(given: string, field: string): Pick<Dependency, 'kind' | 'on'> {
  if (!given.startsWith(GROUP_PREFIX)) return { kind: 'job', on: id(given, field) };
  return { kind: 'group', on: id(given.slice(GROUP_PREFIX.length), field) };
}

function oneOf<T extends string>(known: readonly T[], value: unknown, field: string): T {
  const found = known.find((word) => word === value);
  if (found) return found;
  throw invalid(`'${field}' must be one of ${known.join(', ')}, not ${describe(value)}`);
}
