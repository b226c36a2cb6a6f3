// Reads the recipe and its parameters, which replace the command of a new job.

import { QueueError } from '../../errors/errors.ts';
import type { RecipeUse } from '../isolation/isolation.ts';
import { invalid, wrongType } from './input-readers.ts';
import type { NewJob } from '../job.ts';

export interface RecipeInput {
  readonly recipe?: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Converts numbers and booleans to text. */
export function params(value: unknown, field: string): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(field, 'an object of names and values', value);
  return Object.fromEntries(Object.entries(value).map(([name, said]) => [name, paramText(said, name, field)]));
}

function paramText(said: unknown, name: string, field: string): string {
  if (typeof said === 'string') return said;
  if (typeof said === 'number' || typeof said === 'boolean') return String(said);
  throw wrongType(`${field}.${name.slice(0, 40)}`, 'a string or a number', said);
}

export function recipeUseOf({ recipe, params }: RecipeInput): RecipeUse | undefined {
  if (recipe !== undefined) return { name: recipe, params: params ?? {} };
  if (params !== undefined) throw invalid("'params' requires a recipe", "add 'recipe', or --recipe NAME");
  return undefined;
}

/**
 * Placeholder until the recipe is looked up. Jobs with the same recipe and parameters get the same one, so that their
 * unique keys are equal.
 */
function commandToCome({ name, params }: RecipeUse): NewJob['command'] {
  return [
    `recipe ${name}`,
    ...Object.keys(params)
      .sort()
      .map((key) => `${key}=${params[key]}`),
  ];
}

/** The queue looks up the recipe later, which determines the command. */
export function commandOf(command: NewJob['command'] | undefined, recipe: RecipeUse | undefined): NewJob['command'] {
  if (recipe === undefined && command === undefined) throw new QueueError('command_required');
  if (recipe === undefined || command === undefined) return command ?? commandToCome(recipe as RecipeUse);
  throw invalid('a command cannot be combined with a recipe', 'omit the command; the recipe determines it');
}
