// How a new job names a recipe and its parameters instead of a command.

import { QueueError } from '../../errors/errors.ts';
import type { RecipeUse } from '../isolation/isolation.ts';
import { invalid, wrongType } from './input-readers.ts';
import type { NewJob } from '../job.ts';

export interface RecipeInput {
  readonly recipe?: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Numbers and truth values are as good as their texts. */
export function params(value: unknown, field: string): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(field, 'an object of names and values', value);
  return Object.fromEntries(
    Object.entries(value).map(([name, said]) => [name, paramText(said, name, field)]),
  );
}

function paramText(said: unknown, name: string, field: string): string {
  if (typeof said === 'string') return said;
  if (typeof said === 'number' || typeof said === 'boolean') return String(said);
  throw wrongType(`${field}.${name.slice(0, 40)}`, 'a string or a number', said);
}

export function recipeUseOf({ recipe, params }: RecipeInput): RecipeUse | undefined {
  if (recipe !== undefined) return { name: recipe, params: params ?? {} };
  if (params !== undefined)
    throw invalid("'params' are for a recipe, and none is named", "add 'recipe', or --recipe NAME");
  return undefined;
}

/** Until the recipe is looked up, its job has no command. Two of the same recipe and parameters are the same job. */
function commandToCome({ name, params }: RecipeUse): NewJob['command'] {
  return [
    `recipe ${name}`,
    ...Object.keys(params)
      .sort()
      .map((key) => `${key}=${params[key]}`),
  ];
}

/** A recipe makes the command when it is looked up, which takes the queue. */
export function commandOf(
  command: NewJob['command'] | undefined,
  recipe: RecipeUse | undefined,
): NewJob['command'] {
  if (recipe === undefined && command === undefined) throw new QueueError('command_required');
  if (recipe === undefined || command === undefined) return command ?? commandToCome(recipe as RecipeUse);
  throw invalid('a command and a recipe at once', 'the recipe makes the command: leave it out');
}
