// Recipes and secrets, through a server, which knows who adds them.

import type { Recipes, Secrets } from '../queue/interface.ts';
import type { StoredRecipe } from '../queue/recipes.ts';
import type { SecretEntry } from '../secrets/secrets.ts';
import { camelCased } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

const recipeFrom = (json: object): StoredRecipe => camelCased(json) as unknown as StoredRecipe;
const secretFrom = (json: object): SecretEntry => camelCased(json) as unknown as SecretEntry;

export const remoteRecipes = (caller: RemoteCaller): Recipes => ({
  all: async () => (await caller.call('listRecipes', {})).recipes.map(recipeFrom),
  get: async (name) => recipeFrom(await caller.call('getRecipe', { name })),
  add: async ({ name, command, mayReplace }) =>
    recipeFrom(
      mayReplace
        ? await caller.call('setRecipe', { name }, { command })
        : await caller.call('addRecipe', {}, { name, command }),
    ),
  remove: async (name) => {
    await caller.call('removeRecipe', { name });
  },
});

export const remoteSecrets = (caller: RemoteCaller): Secrets => ({
  all: async () => (await caller.call('listSecrets', {})).secrets.map(secretFrom),
  /** In base64, as not every key is text. */
  set: async (name, value) => {
    const body = { value: value.toString('base64'), encoding: 'base64' } as const;
    return secretFrom(await caller.call('setSecret', { name }, body));
  },
  remove: async (name) => {
    await caller.call('removeSecret', { name });
  },
});
