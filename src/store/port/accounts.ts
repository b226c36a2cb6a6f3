// Who may use the queue over HTTP: people with a password, programs with a token, and who is logged in. The store keeps
// hashes, never a secret; what a hash is and when something has expired is decided in src/access.

import type { Role } from '../../access/role.ts';

export interface Accounts {
  /** By name. */
  users(): Promise<User[]>;
  user(name: string): Promise<User | null>;
  /** false: the name is taken, and nothing was changed. */
  addUser(user: User): Promise<boolean>;
  /** With its sessions. false: there is none. */
  removeUser(name: string): Promise<boolean>;

  /** The oldest first. */
  tokens(): Promise<Token[]>;
  tokenWith(hash: string): Promise<Token | null>;
  /** false: the id or the name is taken, and nothing was changed. */
  addToken(token: Token): Promise<boolean>;
  /** Remembers when it was used last; of one that is gone, nothing. */
  tokenUsed(id: string, at: number): Promise<void>;
  /** With its sessions. false: there is none. */
  removeToken(id: string): Promise<boolean>;

  addSession(session: Session): Promise<void>;
  /**
   * With the role that its account has now. null: there is none, or its user or token is gone, even if another one of the
   * same name has come since.
   */
  sessionWith(hash: string): Promise<FoundSession | null>;
  /** false: there is none. */
  removeSession(hash: string): Promise<boolean>;
  /** Forgets sessions that ended before this time; returns how many. */
  forgetSessions(endedBefore: number): Promise<number>;
}

export interface User {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly createdAt: number;
  readonly createdBy: string;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly hash: string;
  readonly createdAt: number;
  readonly createdBy: string;
  /** null: never. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface Session {
  readonly hash: string;
  /** Whose it is: the owner's, or that of a user (by name) or a token (by id). */
  readonly kind: 'owner' | 'user' | 'token';
  readonly principal: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface FoundSession extends Session {
  /** Of the user or token; else the principal. */
  readonly name: string;
}
