// Users, tokens and what was done, as JSON: the same for CLI and HTTP. No hash of a secret is among it.

import { isoTime, type Json } from '../job/wire.ts';
import type { RecordedActivity, Token, User } from '../store/store.ts';

export const userToJson = ({ name, role, createdAt, createdBy }: User): Json => ({
  name,
  role,
  created_at: isoTime(createdAt),
  created_by: createdBy,
});

export const tokenToJson = (token: Token): Json => ({
  id: token.id,
  name: token.name,
  role: token.role,
  created_at: isoTime(token.createdAt),
  created_by: token.createdBy,
  expires_at: isoTime(token.expiresAt),
  last_used_at: isoTime(token.lastUsedAt),
});

export const activityToJson = ({ seq, at, actor, via, action, target, detail }: RecordedActivity): Json => ({
  seq,
  at: isoTime(at),
  actor,
  via,
  action,
  target,
  detail,
});
