// Recipes as data and in words: the same for the command line and for HTTP.

import type { Parameter } from '../job/recipe-text.ts';
import { isoTime, type Json } from '../job/wire.ts';
import { recipeOf, type StoredRecipe } from '../recipes.ts';

export const recipeToJson = (recipe: StoredRecipe): Json => ({
  name: recipe.name,
  command: recipe.command,
  parameters: parametersOf(recipe).map(({ name, type, bounds, fallback }) => ({
    name,
    type,
    bounds,
    default: fallback,
  })),
  created_at: isoTime(recipe.createdAt),
  created_by: recipe.createdBy,
});

/** Of one that somebody wrote by hand, and cannot be read, none. */
function parametersOf(recipe: StoredRecipe): Parameter[] {
  try {
    return [...recipeOf(recipe).parameters.values()];
  } catch {
    return [];
  }
}

const IN_WORDS: Readonly<Record<Parameter['type'], (bounds: string | null) => string>> = {
  string: (bounds) => (bounds === null ? 'a text' : `a text that matches ${bounds}`),
  int: (bounds) => `a whole number${bounds === null ? '' : `, ${bounds}`}`,
  number: (bounds) => `a number${bounds === null ? '' : `, ${bounds}`}`,
  path: (bounds) =>
    `a path${bounds === null ? '' : ` below ${bounds === '.' ? 'where the job runs' : bounds}`}`,
  choice: (bounds) => `one of ${bounds}`,
};

export const parameterInWords = ({ type, bounds, fallback }: Parameter): string =>
  `${IN_WORDS[type](bounds)}${fallback === null ? '' : ` (default: ${fallback})`}`;
