// Recipes: commands with parameters that may be enqueued by name.

import { z } from 'zod';
import { recipeToJson } from '../../report/recipe.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { namePath } from '../schema/parameters.ts';

const recipeSchema = z
  .object({
    name: z.string(),
    command: z.array(z.string()),
    parameters: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        bounds: z.string().nullable().meta({ description: 'A range, choices, a pattern or a folder' }),
        default: z.string().nullable().meta({ description: 'null: it must be given' }),
      }),
    ),
    created_at: time,
    created_by: z.string(),
  })
  .meta({ id: 'Recipe' });

const commandSchema = z
  .array(z.string())
  .min(1)
  .meta({ description: 'A program and its arguments, {name:type} in them' });

export const recipeRoutes = [
  route({
    id: 'listRecipes',
    tag: 'recipes',
    summary: 'The recipes by name',
    role: 'viewer',
    answers: {
      200: { means: 'Recipes', schema: z.object({ recipes: z.array(recipeSchema), next: z.null() }) },
    },
    handle: async ({ queue }) => {
      const recipes = await (await queue.recipes()).all();
      return { json: { recipes: recipes.map(recipeToJson), next: null } };
    },
  }),
  route({
    id: 'getRecipe',
    tag: 'recipes',
    summary: 'One recipe and its parameters',
    role: 'viewer',
    parameters: namePath,
    answers: { 200: { means: 'The recipe', schema: recipeSchema } },
    handle: async ({ queue, path }) => ({
      json: recipeToJson(await (await queue.recipes()).get(path.name)),
    }),
  }),
  route({
    id: 'addRecipe',
    tag: 'recipes',
    summary: 'Add a recipe under a name that is not taken',
    role: 'admin',
    body: z.strictObject({ name: z.string(), command: commandSchema }),
    answers: { 201: { means: 'The recipe', schema: recipeSchema } },
    handle: async ({ queue, body, principal }) => {
      const wanted = { ...body, mayReplace: false };
      const added = await (await queue.recipes()).add(wanted, principal.name);
      return { status: 201, json: recipeToJson(added) };
    },
  }),
  route({
    id: 'setRecipe',
    tag: 'recipes',
    summary: 'Add a recipe, or replace the one of this name',
    role: 'admin',
    parameters: namePath,
    body: z.strictObject({ command: commandSchema }),
    answers: { 200: { means: 'The recipe', schema: recipeSchema } },
    handle: async ({ queue, path, body, principal }) => {
      const wanted = { name: path.name, command: body.command, mayReplace: true };
      return { json: recipeToJson(await (await queue.recipes()).add(wanted, principal.name)) };
    },
  }),
  route({
    id: 'removeRecipe',
    tag: 'recipes',
    summary: 'Remove a recipe; its jobs that have not started are refused',
    role: 'admin',
    parameters: namePath,
    answers: { 204: { means: 'It is gone' } },
    handle: async ({ queue, path }) => {
      await (await queue.recipes()).remove(path.name);
      return { status: 204, json: null };
    },
  }),
];
