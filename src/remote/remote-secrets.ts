// Secrets, through a server: names come out, values go in.

import { named } from '../library/caller.ts';
import { QueueSecrets, type SecretEntry } from '../secrets/secrets.ts';
import { camelCased } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import type { Place } from '../store/location.ts';
import type { Store } from '../store/store.ts';

const secretFrom = (json: object): SecretEntry => camelCased(json) as unknown as SecretEntry;

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
