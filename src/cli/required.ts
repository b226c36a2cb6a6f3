// Checks for required arguments.

import { usageError } from '../errors/errors.ts';
import type { Context } from './command.ts';

/** Requires at least one argument. */
export function someArguments(
  { args, exact }: Context,
  noun: string,
  name: string,
  hint = `queuectl ${name} ${noun.toUpperCase()}`,
): readonly string[] {
  const given = [...args, ...(exact ?? [])];
  if (given.length > 0) return given;
  throw usageError(`missing ${shown(noun)}`, hint);
}

export function exactArguments(context: Context, nouns: readonly string[], name: string): readonly string[] {
  const given = [...context.args, ...(context.exact ?? [])];
  const usage = `queuectl ${name} ${nouns.map((noun) => noun.toUpperCase()).join(' ')}`.trim();
  const missing = nouns[given.length];
  if (missing !== undefined) throw usageError(`missing ${shown(missing)}`, usage);
  if (given.length > nouns.length) {
    throw usageError(`unexpected argument '${given[nouns.length]}'`, usage);
  }
  return given;
}

/** IDs in arguments are job IDs unless the noun names something else. */
const shown = (noun: string): string => (noun === 'id' ? 'job ID' : noun.toUpperCase());
