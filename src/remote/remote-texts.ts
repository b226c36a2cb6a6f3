// Recipes and secrets, through a server. What a recipe makes is decided there, when its job is enqueued.

import { named } from '../library/caller.ts';
import { QueueRecipes, type StoredRecipe } from '../recipes.ts';
import { QueueSecrets, type SecretEntry } from '../secrets/secrets.ts';
import { camelCased } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import type { Place } from '../place.ts';
import type { Store } from '../store/store.ts';

const recipeFrom = (json: object): StoredRecipe => camelCased(json) as unknown as StoredRecipe;
const secretFrom = (json: object): SecretEntry => camelCased(json) as unknown as SecretEntry;

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
    return recipeFrom(await this.caller.get(`/recipes/${named(name)}`));
  }

  override async add({ name, command, mayReplace }: Parameters<QueueRecipes['add']>[0]) {
    const added = mayReplace
      ? this.caller.json<object>('PUT', `/recipes/${named(name)}`, { body: { command } })
      : this.caller.post<object>('/recipes', { name, command });
    return recipeFrom(await added);
  }

  override async remove(name: string): Promise<void> {
    await this.caller.json('DELETE', `/recipes/${named(name)}`);
  }
}

export class RemoteSecrets extends QueueSecrets {
  private readonly caller: RemoteCaller;

  constructor(store: Store, place: Place, caller: RemoteCaller) {
    super(store, place, {});
    this.caller = caller;
  }

  override async all(): Promise<SecretEntry[]> {
    return (await this.caller.get<{ secrets: object[] }>('/secrets')).secrets.map(secretFrom);
  }

  /** As bytes: not every key is text. */
  override async set(name: string, value: Buffer): Promise<SecretEntry> {
    const body = { value: value.toString('base64'), encoding: 'base64' };
    return secretFrom(await this.caller.json('PUT', `/secrets/${named(name)}`, { body }));
  }

  override async remove(name: string): Promise<void> {
    await this.caller.json('DELETE', `/secrets/${named(name)}`);
  }
}
