// Recipes, through a server.

import { named } from '../library/caller.ts';
import { QueueRecipes, type StoredRecipe } from '../queue/recipes.ts';
import type { Store } from '../store/store.ts';
import { camelCased } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

const recipeFrom = (json: object): StoredRecipe => camelCased(json) as unknown as StoredRecipe;
const at = (name: string): string => `/recipes/${named(name)}`;

export class RemoteRecipes extends QueueRecipes {
  private readonly caller: RemoteCaller;

  constructor(store: Store, caller: RemoteCaller) {
    super(store);
    this.caller = caller;
  }

  override async all(): Promise<StoredRecipe[]> {
    return (await this.caller.get<{ recipes: object[] }>('/recipes')).recipes.map(recipeFrom);
  }

  override async get(name: string): Promise<StoredRecipe> {
    return recipeFrom(await this.caller.get(at(name)));
  }

  /** The server knows who adds it. */
  override async add(wanted: Parameters<QueueRecipes['add']>[0]): Promise<StoredRecipe> {
    const { name, command, mayReplace } = wanted;
    if (!mayReplace) return recipeFrom(await this.caller.post('/recipes', { name, command }));
    return recipeFrom(await this.caller.json('PUT', at(name), { body: { command } }));
  }

  override async remove(name: string): Promise<void> {
    await this.caller.json('DELETE', at(name));
  }
}
