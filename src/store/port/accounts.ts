// Users with passwords, API tokens and sessions for access over HTTP. The store keeps hashes, never secrets. src/access
// decides how to hash, and when tokens and sessions expire.

import type { Role } from '../../access/role.ts';

export interface Accounts {
  /** Returns the users by name. */
  users(): Promise<User[]>;
  user(name: string): Promise<User | null>;
  /** Returns false, and changes nothing, if the name is taken. */
  addUser(user: User): Promise<boolean>;
  /** Removes the user and the user's sessions. Returns false if there is no such user. */
  removeUser(name: string): Promise<boolean>;

  /** Returns the oldest tokens first. */
  tokens(): Promise<Token[]>;
  tokenWith(hash: string): Promise<Token | null>;
  /** Returns false, and changes nothing, if the ID or the name is taken. */
  addToken(token: Token): Promise<boolean>;
  /** Records when the token was last used. Does nothing if the token is gone. */
  tokenUsed(id: string, at: number): Promise<void>;
  /** Removes the token and its sessions. Returns false if there is no such token. */
  removeToken(id: string): Promise<boolean>;

  addSession(session: Session): Promise<void>;
  /**
   * Returns the session with the current role of its account. Returns null if there is no such session, or if its user
   * or token was removed, even if a new one has the same name.
   */
  sessionWith(hash: string): Promise<FoundSession | null>;
  /** Returns false if there is no such session. */
  removeSession(hash: string): Promise<boolean>;
  /** Deletes sessions that expired before this time. Returns their number. */
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
  /** Null if the token never expires. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface Session {
  readonly hash: string;
  /** Account type. `principal` is the name of a user or the ID of a token. */
  readonly kind: 'owner' | 'user' | 'token';
  readonly principal: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface FoundSession extends Session {
  /** Name of the user or token, or else the principal. */
  readonly name: string;
}
