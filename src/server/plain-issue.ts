// Describes a validation error in terms of the value, because Zod's own messages are written for programmers.

import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Returns a text such as: must be a whole number, not 'x' */
export function plainIssue(issue: Issue | undefined, whole: unknown): string {
  if (issue === undefined) return 'is not valid';
  const value = at(whole, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined && issue.path.length > 0) return 'is missing';
      return `must be ${KINDS[issue.expected] ?? issue.expected}${issue.expected === 'string' ? '' : not(value)}`;
    case 'too_small':
      return sized(issue.origin, 'at least', Number(issue.minimum), value);
    case 'too_big':
      return sized(issue.origin, 'at most', Number(issue.maximum), value);
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}${not(value)}`;
    case 'unrecognized_keys':
      return `unknown field '${issue.keys[0] ?? ''}'`;
    default:
      return isOwn(issue.message) ? issue.message : 'is not valid';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** True for a message that one of our schemas defines. */
const isOwn = (message: string): boolean => !/^Invalid |^Too /.test(message);

/** Never repeats a string of the wrong length, which may be a secret. */
function sized(origin: string, bound: string, n: number, value: unknown): string {
  if (origin === 'string') return `must have ${bound} ${n} ${n === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `must have ${bound} ${n} ${n === 1 ? 'entry' : 'entries'}`;
  return `must be ${bound} ${n}${not(value)}`;
}

const SHORT = 60;

/** Returns a text such as ", not 'x'", or an empty one for a long value. */
function not(value: unknown): string {
  if (typeof value === 'string') return value.length <= SHORT ? `, not '${value}'` : '';
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? `, not ${value}` : '';
}

const at = (whole: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    whole,
  );
