// Users, tokens and sessions: kept as they are given, and gone with everything that hangs on them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session, Token, User } from '../../src/store/store.ts';
import { T0 } from '../support/jobs.ts';
import type { MakeBench } from './bench.ts';

const user = (name: string, more: Partial<User> = {}): User => ({
  name,
  role: 'operator',
  passwordHash: `hash of ${name}`,
  createdAt: T0,
  createdBy: 'ann@host',
  ...more,
});

const token = (id: string, more: Partial<Token> = {}): Token => ({
  id,
  name: `name of ${id}`,
  role: 'viewer',
  hash: `hash of ${id}`,
  createdAt: T0,
  createdBy: 'ann@host',
  expiresAt: null,
  lastUsedAt: null,
  ...more,
});

const session = (hash: string, more: Partial<Session> = {}): Session => ({
  hash,
  kind: 'owner',
  principal: 'owner',
  role: 'admin',
  createdAt: T0 + 1,
  expiresAt: T0 + 1000,
  ...more,
});

export function accounts(bench: MakeBench): void {
  test('users and tokens are stored as given and visible to every connection', async (t) => {
    const b = await bench(t);
    const { accounts } = b.store;
    const odd = user(`Zoë "'; --`, { role: 'admin' });
    assert.deepEqual([await accounts.addUser(odd), await accounts.addUser(user('ann'))], [true, true]);
    assert.equal(await accounts.addToken(token('t1', { expiresAt: T0 + 5 })), true);
    const other = (await b.open()).accounts;
    assert.deepEqual(await other.users(), [odd, user('ann')]);
    assert.deepEqual(await other.user(odd.name), odd);
    assert.equal(await other.user('nobody'), null);
    assert.deepEqual(await other.tokens(), [token('t1', { expiresAt: T0 + 5 })]);
    assert.deepEqual(await other.tokenWith('hash of t1'), token('t1', { expiresAt: T0 + 5 }));
    assert.equal(await other.tokenWith('hash of t2'), null);
  });

  test('a taken name or ID is rejected, and the existing account is unchanged', async (t) => {
    const { accounts } = (await bench(t)).store;
    await accounts.addUser(user('ann'));
    assert.equal(await accounts.addUser(user('ann', { role: 'admin', createdAt: T0 + 9 })), false);
    assert.deepEqual(await accounts.users(), [user('ann')]);
    await accounts.addToken(token('t1'));
    assert.equal(await accounts.addToken(token('t1', { name: 'other', hash: 'other' })), false);
    assert.equal(await accounts.addToken(token('t2', { name: 'name of t1' })), false);
    assert.deepEqual(await accounts.tokens(), [token('t1')]);
  });

  test('the last use of a token is stored', async (t) => {
    const { accounts } = (await bench(t)).store;
    await accounts.addToken(token('t1'));
    await accounts.tokenUsed('t1', T0 + 7);
    await accounts.tokenUsed('gone', T0 + 7);
    assert.deepEqual(await accounts.tokens(), [token('t1', { lastUsedAt: T0 + 7 })]);
  });

  test('a session is found by its hash until it is deleted', async (t) => {
    const { accounts } = (await bench(t)).store;
    await accounts.addSession(session('s1'));
    assert.deepEqual(await accounts.sessionWith('s1'), { ...session('s1'), name: 'owner' });
    assert.equal(await accounts.sessionWith('s2'), null);
    assert.deepEqual([await accounts.removeSession('s1'), await accounts.removeSession('s1')], [true, false]);
    assert.equal(await accounts.sessionWith('s1'), null);
  });

  test('deleting a user or a token ends its sessions and no others', async (t) => {
    const { accounts } = (await bench(t)).store;
    await accounts.addUser(user('ann'));
    await accounts.addUser(user('bob'));
    await accounts.addToken(token('ann'));
    for (const [hash, kind, principal] of [
      ['s1', 'user', 'ann'],
      ['s2', 'user', 'bob'],
      ['s3', 'token', 'ann'],
      ['s4', 'owner', 'owner'],
    ] as const)
      await accounts.addSession(session(hash, { kind, principal }));
    const alive = async (): Promise<string[]> => {
      const found = await Promise.all(['s1', 's2', 's3', 's4'].map((hash) => accounts.sessionWith(hash)));
      return found.flatMap((one) => one?.hash ?? []);
    };
    assert.deepEqual([await accounts.removeUser('ann'), await accounts.removeUser('ann')], [true, false]);
    assert.deepEqual(await alive(), ['s2', 's3', 's4']);
    assert.equal((await accounts.sessionWith('s3'))?.name, 'name of ann');
    assert.deepEqual([await accounts.removeToken('ann'), await accounts.removeToken('ann')], [true, false]);
    assert.deepEqual(await alive(), ['s2', 's4']);
  });

  test('a session has the role of its account, and none without the account', async (t) => {
    const { accounts } = (await bench(t)).store;
    await accounts.addSession(session('early', { kind: 'user', principal: 'ann', role: 'admin' }));
    assert.equal(await accounts.sessionWith('early'), null);
    await accounts.addUser(user('ann', { role: 'viewer', createdAt: T0 + 2 }));
    assert.equal(await accounts.sessionWith('early'), null, 'begun with an earlier account of this name');
    await accounts.addSession(session('late', { kind: 'user', principal: 'ann', role: 'admin', createdAt: T0 + 3 }));
    assert.equal((await accounts.sessionWith('late'))?.role, 'viewer');
  });

  test('expired sessions are deleted', async (t) => {
    const { accounts } = (await bench(t)).store;
    await accounts.addSession(session('old', { expiresAt: T0 + 10 }));
    await accounts.addSession(session('new', { expiresAt: T0 + 20 }));
    assert.equal(await accounts.forgetSessions(T0 + 15), 1);
    assert.equal((await accounts.sessionWith('new'))?.hash, 'new');
  });

  test('a reset of the jobs keeps accounts', async (t) => {
    const { store } = await bench(t);
    await store.accounts.addUser(user('ann'));
    await store.accounts.addToken(token('t1'));
    await store.reset();
    assert.deepEqual([await store.accounts.users(), await store.accounts.tokens()], [[user('ann')], [token('t1')]]);
  });
}
