// Checks of option values that several commands share.

import { usageError } from '../../errors/errors.ts';

/** Returns the value of an option if it is in the range. */
export function inRange(name: string, value: number, least: number, most = Number.POSITIVE_INFINITY): number {
  if (value >= least && value <= most) return value;
  const range = most === Number.POSITIVE_INFINITY ? `${least} or more` : `from ${least} to ${most}`;
  throw usageError(`--${name} must be ${range}, not ${value}`);
}

/** Returns which of the options is given, and rejects several. */
export function onlyOneOf<Name extends string>(
  { has }: { readonly has: (name: Name) => boolean },
  ...names: readonly Name[]
): Name | undefined {
  const [name, other] = names.filter(has);
  if (other !== undefined) throw usageError(`--${name} and --${other} cannot be combined`, 'use one of them');
  return name;
}
