// Users, tokens and activity, through a server.

import { checkedRole } from '../access/account-input.ts';
import { QueueError } from '../errors/errors.ts';
import type { Accounts, AnyQueue } from '../queue/interface.ts';
import type { RecordedDeed, Token, User } from '../store/store.ts';
import { camelCased, timeOf } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

const userFrom = (json: object): User => camelCased(json) as unknown as User;
const tokenFrom = (json: object): Token => camelCased(json) as unknown as Token;

export function remoteAccounts(caller: RemoteCaller): Accounts {
  const users = async (): Promise<User[]> => (await caller.call('listUsers', {})).users.map(userFrom);
  const tokens = async (): Promise<Token[]> => (await caller.call('listTokens', {})).tokens.map(tokenFrom);
  return {
    users,
    tokens,
    expectNoUser: async (name) => {
      const isThere = (await users()).some((user) => user.name === name);
      if (isThere) throw new QueueError('account_exists', { noun: 'user', name });
    },
    addUser: async ({ role, ...user }) =>
      userFrom(await caller.call('addUser', {}, { ...user, role: checkedRole(role) })),
    removeUser: async (name) => {
      await caller.call('removeUser', { name });
    },
    addToken: async ({ role, ...wanted }) => {
      const body = { ...wanted, role: checkedRole(role) };
      const { secret, ...token } = await caller.call('addToken', {}, body);
      return { token: tokenFrom(token), secret };
    },
    removeToken: async (idOrName) => {
      const all = await tokens();
      const found = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
      if (!found) throw new QueueError('account_not_found', { noun: 'token', name: idOrName });
      await caller.call('removeToken', { id: found.id });
      return found;
    },
  };
}

const DEEDS_AT_ONCE = 1000;

export const remoteActivity = (caller: RemoteCaller): AnyQueue['activity'] => ({
  list: async (limit) => {
    const found: RecordedDeed[] = [];
    for (let after: number | null | undefined; after !== null && found.length < limit; ) {
      const wish = { limit: Math.min(limit - found.length, DEEDS_AT_ONCE), after };
      const { activity, next } = await caller.call('listActivity', wish);
      found.push(...activity.map((deed) => ({ ...deed, at: timeOf(deed.at) })));
      after = next;
    }
    return found;
  },
});
