// Schemas of users, tokens, sessions and audit log entries, as src/report/accounts.ts writes them.

import { z } from 'zod';
import { ROLES } from '../../access/role.ts';

const time = z.iso.datetime();

export const roleSchema = z.enum(ROLES).meta({ id: 'Role' });

export const userSchema = z
  .object({ name: z.string(), role: roleSchema, created_at: time, created_by: z.string() })
  .meta({ id: 'User' });

export const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: roleSchema,
    created_at: time,
    created_by: z.string(),
    expires_at: time.nullable(),
    last_used_at: time.nullable(),
  })
  .meta({ id: 'Token' });

export const newTokenSchema = tokenSchema
  .extend({ secret: z.string().describe('Secret of the token, returned only once') })
  .meta({ id: 'NewToken' });

export const sessionSchema = z
  .object({
    name: z.string(),
    role: roleSchema,
    read_only: z.boolean(),
    version: z.string(),
    database: z.string().describe('Path or URL of the database'),
  })
  .meta({ id: 'Session' });

export const auditEntrySchema = z
  .object({
    seq: z.int(),
    at: time,
    actor: z.string(),
    via: z.enum(['cli', 'http', 'mcp', 'library', 'worker']),
    action: z.string().describe('The command, or the operation ID of this document'),
    target: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditEntry' });
