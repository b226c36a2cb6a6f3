// Recipes as JSON for the CLI and HTTP.

import type { Parameter } from '../job/isolation/recipe-parameter.ts';
import { isoTime, type Json } from '../job/wire.ts';
import { recipeOf, type StoredRecipe } from '../queue/recipes.ts';

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

/** Returns an empty list for a recipe that is unreadable, as after a manual edit. */
function parametersOf(recipe: StoredRecipe): Parameter[] {
  try {
    return [...recipeOf(recipe).parameters.values()];
  } catch {
    return [];
  }
}
