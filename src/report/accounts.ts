// Users, tokens, secrets and audit entries as JSON for the CLI and HTTP. Contains neither values nor hashes of secrets.

import { isoTime, type Json } from '../job/wire.ts';
import type { SecretEntry } from '../secrets/secrets.ts';
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

export const secretToJson = ({ name, createdAt, createdBy, isReadable }: SecretEntry): Json => ({
  name,
  created_at: isoTime(createdAt),
  created_by: createdBy,
  is_readable: isReadable,
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
