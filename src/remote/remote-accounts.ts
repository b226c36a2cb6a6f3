// Users, tokens and what was done, through a server.

import { type NewToken, type NewUser, QueueAccounts } from '../access/accounts.ts';
import { QueueError } from '../errors/errors.ts';
import { named } from '../library/caller.ts';
import type { ActivityLog, RecordedDeed, Store, Token, User } from '../store/store.ts';
import { camelCased, timeOf } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

const userFrom = (json: object): User => camelCased(json) as unknown as User;
const tokenFrom = (json: object): Token => camelCased(json) as unknown as Token;

export class RemoteAccounts extends QueueAccounts {
  private readonly caller: RemoteCaller;

  constructor({ now }: Pick<Store, 'now'>, caller: RemoteCaller) {
    super({ accounts: null as never, now });
    this.caller = caller;
  }

  override async users(): Promise<User[]> {
    return (await this.caller.get<{ users: object[] }>('/users')).users.map(userFrom);
  }

  override async expectNoUser(name: string): Promise<void> {
    const isThere = (await this.users()).some((user) => user.name === name);
    if (isThere) throw new QueueError('account_exists', { noun: 'user', name });
  }

  override async addUser({ name, role, password }: NewUser): Promise<User> {
    return userFrom(await this.caller.post('/users', { name, role, password }));
  }

  override async removeUser(name: string): Promise<void> {
    await this.caller.json('DELETE', `/users/${named(name)}`);
  }

  override async tokens(): Promise<Token[]> {
    return (await this.caller.get<{ tokens: object[] }>('/tokens')).tokens.map(tokenFrom);
  }

  override async addToken({ name, role, expires }: NewToken): Promise<{ token: Token; secret: string }> {
    const { secret, ...token } = await this.caller.post<{ secret: string }>('/tokens', {
      name,
      role,
      expires,
    });
    return { token: tokenFrom(token), secret };
  }

  override async removeToken(idOrName: string): Promise<Token> {
    const all = await this.tokens();
    const found = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
    if (!found) throw new QueueError('account_not_found', { noun: 'token', name: idOrName });
    await this.caller.json('DELETE', `/tokens/${named(found.id)}`);
    return found;
  }
}

const DEEDS_AT_ONCE = 1000;

/** A server writes down itself what is done through it. */
export const remoteActivity = (caller: RemoteCaller): ActivityLog => ({
  record: async () => {},
  forget: async () => 0,
  list: async (limit) => {
    const found: RecordedDeed[] = [];
    for (let after: number | undefined; ; ) {
      const page: { activity: (Omit<RecordedDeed, 'at'> & { at: string })[]; next: number | null } =
        await caller.get('/activity', { limit: Math.min(limit - found.length, DEEDS_AT_ONCE), after });
      found.push(...page.activity.map((deed) => ({ ...deed, at: timeOf(deed.at) })));
      if (page.next === null || found.length >= limit) return found;
      after = page.next;
    }
  },
});
