// Recipes: command templates that jobs refer to by name.

import { z } from 'zod';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { namePath } from '../schema/parameters.ts';
import type { Parameter } from '../../job/isolation/recipe-parameter.ts';
import { isoTime, type Json } from '../../job/wire.ts';
import { recipeOf, type StoredRecipe } from '../../queue/recipes.ts';

const recipeSchema = z
  .object({
    name: z.string(),
    command: z.array(z.string()),
    parameters: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        bounds: z.string().nullable().describe('Range, choices, pattern or directory'),
        default: z.string().nullable().describe('null if the parameter is required'),
      }),
    ),
    created_at: time,
    created_by: z.string(),
  })
  .meta({ id: 'Recipe' });

const commandSchema = z.array(z.string()).min(1).describe('Program and arguments, with {name:type} parameters');

export const recipeRoutes = [
  route({
    id: 'listRecipes',
    summary: 'List recipes by name',
    role: 'viewer',
    answers: {
      200: { help: 'Recipes', schema: z.object({ recipes: z.array(recipeSchema), next: z.null() }) },
    },
    handle: async ({ queue }) => {
      const recipes = await (await queue.recipes()).all();
      return { json: { recipes: recipes.map(recipeToJson), next: null } };
    },
  }),
  route({
    id: 'getRecipe',
    summary: 'Get a recipe and its parameters',
    role: 'viewer',
    parameters: namePath,
    answers: { 200: { help: 'The recipe', schema: recipeSchema } },
    handle: async ({ queue, path }) => ({
      json: recipeToJson(await (await queue.recipes()).get(path.name)),
    }),
  }),
  route({
    id: 'addRecipe',
    summary: 'Add a recipe with a new name',
    role: 'admin',
    body: z.strictObject({ name: z.string(), command: commandSchema }),
    answers: { 201: { help: 'The recipe', schema: recipeSchema } },
    handle: async ({ queue, body, principal }) => {
      const wanted = { ...body, mayReplace: false };
      const added = await (await queue.recipes()).add(wanted, principal.name);
      return { status: 201, json: recipeToJson(added) };
    },
  }),
  route({
    id: 'setRecipe',
    summary: 'Add or replace a recipe',
    role: 'admin',
    parameters: namePath,
    body: z.strictObject({ command: commandSchema }),
    answers: { 200: { help: 'The recipe', schema: recipeSchema } },
    handle: async ({ queue, path, body, principal }) => {
      const wanted = { name: path.name, command: body.command, mayReplace: true };
      return { json: recipeToJson(await (await queue.recipes()).add(wanted, principal.name)) };
    },
  }),
  route({
    id: 'removeRecipe',
    summary: 'Delete a recipe; its jobs that have not started are rejected',
    role: 'admin',
    parameters: namePath,
    answers: { 204: { help: 'Deleted' } },
    handle: async ({ queue, path }) => {
      await (await queue.recipes()).remove(path.name);
      return { status: 204, json: null };
    },
  }),
];

const recipeToJson = (recipe: StoredRecipe): Json => ({
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
