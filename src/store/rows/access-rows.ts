// Accounts, sessions and what was done, from rows to records: the columns have the same names in every store.

import type { Role } from '../../access/role.ts';
import type { FoundSession, Session, Token, User } from '../port/accounts.ts';
import type { ActivityEntry, RecordedActivity } from '../port/activity.ts';
import type { KnownRequest } from '../port/idempotency.ts';
import type { Row } from './rows.ts';

type Value = string | number | null;

export const USER_COLUMNS = 'name, role, password_hash, created_at, created_by';

export const userValues = (user: User): Value[] => [
  user.name,
  user.role,
  user.passwordHash,
  user.createdAt,
  user.createdBy,
];

export const userOf = (row: Row): User => ({
  name: String(row.name),
  role: row.role as Role,
  passwordHash: String(row.password_hash),
  createdAt: Number(row.created_at),
  createdBy: String(row.created_by),
});

export const TOKEN_COLUMNS = 'id, name, role, hash, created_at, created_by, expires_at, last_used_at';

export const tokenValues = (token: Token): Value[] => [
  token.id,
  token.name,
  token.role,
  token.hash,
  token.createdAt,
  token.createdBy,
  token.expiresAt,
  token.lastUsedAt,
];

export const tokenOf = (row: Row): Token => ({
  id: String(row.id),
  name: String(row.name),
  role: row.role as Role,
  hash: String(row.hash),
  createdAt: Number(row.created_at),
  createdBy: String(row.created_by),
  expiresAt: row.expires_at as number | null,
  lastUsedAt: row.last_used_at as number | null,
});

export const SESSION_COLUMNS = 'hash, kind, principal, role, created_at, expires_at';

export const sessionValues = (session: Session): Value[] => [
  session.hash,
  session.kind,
  session.principal,
  session.role,
  session.createdAt,
  session.expiresAt,
];

export const sessionOf = (row: Row): FoundSession => ({
  name: String(row.name),
  hash: String(row.hash),
  kind: row.kind as Session['kind'],
  principal: String(row.principal),
  role: row.role as Role,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
});

export const ACTIVITY_COLUMNS = 'at, actor, via, action, target, detail';

export const entryValues = (entry: ActivityEntry): Value[] => [
  entry.at,
  entry.actor,
  entry.via,
  entry.action,
  entry.target,
  entry.detail && JSON.stringify(entry.detail),
];

export const entryOf = (row: Row): RecordedActivity => ({
  seq: Number(row.seq),
  at: Number(row.at),
  actor: String(row.actor),
  via: row.via as ActivityEntry['via'],
  action: String(row.action),
  target: row.target as string | null,
  detail: row.detail === null ? null : JSON.parse(String(row.detail)),
});

export const knownOf = (row: Row): KnownRequest => ({
  requestHash: String(row.request_hash),
  response: row.response as string | null,
});
