// Users and tokens for access over HTTP: adds, deletes and authenticates them.

import { QueueError } from '../errors/errors.ts';
import type { Accounts, FoundSession, Session, Store, Token, User } from '../store/store.ts';
import { checkedLifetime, checkedName, checkedPassword, checkedRole, tokenName } from './account-input.ts';
import { hashOf, hashPassword, rejectPassword, isPassword, newSecret } from './secrets.ts';

/** Makes leaked tokens easy to find for secret scanners. */
const TOKEN_PREFIX = 'qctl_';
const TOKEN_ID_LENGTH = 8;
const SESSION_MS = 7 * 24 * 3600 * 1000;

export interface NewUser {
  readonly name: string;
  readonly role: string;
  readonly password: string;
}

export interface NewToken {
  readonly name: string;
  readonly role: string;
  /** Duration such as 30d; never expires if absent. */
  readonly expires?: string | undefined;
}

export type Account = Pick<Session, 'kind' | 'principal' | 'role'> & {
  /** For display. */
  readonly name: string;
  readonly expiresAt: number | null;
};

export class QueueAccounts {
  private readonly accounts: Accounts;
  private readonly now: () => number;

  constructor({ accounts, now }: Pick<Store, 'accounts' | 'now'>) {
    this.accounts = accounts;
    this.now = now;
  }

  users(): Promise<User[]> {
    return this.accounts.users();
  }

  async addUser({ name, role, password }: NewUser, createdBy: string): Promise<User> {
    const checked = { name: checkedName(name), role: checkedRole(role) };
    const passwordHash = await hashPassword(checkedPassword(password));
    const user = { ...checked, passwordHash, createdAt: this.now(), createdBy };
    if (await this.accounts.addUser(user)) return user;
    throw new QueueError('account_exists', { noun: 'user', name });
  }

  /** Also ends the user's sessions. */
  async removeUser(name: string): Promise<void> {
    if (!(await this.accounts.removeUser(name))) throw new QueueError('account_not_found', { noun: 'user', name });
  }

  tokens(): Promise<Token[]> {
    return this.accounts.tokens();
  }

  /** Returns the secret, which is shown only once and never stored. */
  async addToken({ name, role, expires }: NewToken, createdBy: string): Promise<{ token: Token; secret: string }> {
    const checked = { name: checkedName(name), role: checkedRole(role) };
    const lifetimeMs = checkedLifetime(expires);
    const secret = `${TOKEN_PREFIX}${newSecret()}`;
    const hash = hashOf(secret);
    const createdAt = this.now();
    const token = {
      ...checked,
      id: hash.slice(0, TOKEN_ID_LENGTH),
      hash,
      createdAt,
      createdBy,
      expiresAt: lifetimeMs === null ? null : createdAt + lifetimeMs,
      lastUsedAt: null,
    };
    if (await this.accounts.addToken(token)) return { token, secret };
    throw new QueueError('account_exists', { noun: 'token', name });
  }

  /** Finds the token by ID or name. Also ends its sessions. */
  async removeToken(idOrName: string): Promise<Token> {
    const all = await this.tokens();
    const found = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
    if (found && (await this.accounts.removeToken(found.id))) return found;
    throw new QueueError('account_not_found', { noun: 'token', name: idOrName });
  }

  /** Returns null if the user or password is wrong; both take the same time. */
  async userBy(name: string, password: string): Promise<Account | null> {
    const user = await this.accounts.user(name);
    const isRight = user ? await isPassword(password, user.passwordHash) : await rejectPassword(password);
    if (!user || !isRight) return null;
    return { kind: 'user', principal: user.name, name: user.name, role: user.role, expiresAt: null };
  }

  /** Returns null if the token does not exist or has expired. */
  async tokenBy(secret: string): Promise<Account | null> {
    const token = await this.accounts.tokenWith(hashOf(secret));
    if (!token || (token.expiresAt !== null && token.expiresAt <= this.now())) return null;
    return { kind: 'token', principal: token.id, ...token, name: tokenName(token.name) };
  }

  tokenUsed(id: string): Promise<void> {
    return this.accounts.tokenUsed(id, this.now());
  }

  async beginSession(account: Account): Promise<{ secret: string; lifetimeMs: number }> {
    const secret = newSecret();
    const createdAt = this.now();
    const expiresAt = Math.min(createdAt + SESSION_MS, account.expiresAt ?? Number.POSITIVE_INFINITY);
    const { kind, principal, role } = account;
    await this.accounts.addSession({ hash: hashOf(secret), kind, principal, role, createdAt, expiresAt });
    return { secret, lifetimeMs: expiresAt - createdAt };
  }

  /** Returns null if the session does not exist or has expired. */
  async sessionBy(secret: string): Promise<FoundSession | null> {
    const session = await this.accounts.sessionWith(hashOf(secret));
    return session && session.expiresAt > this.now() ? session : null;
  }

  async endSession(secret: string): Promise<void> {
    await this.accounts.removeSession(hashOf(secret));
  }
}
