// Validates users and tokens for the command line and HTTP.

import { QueueError } from '../errors/errors.ts';
import { nearest } from '../text/nearest.ts';
import { parseDurationMs } from '../time/duration.ts';
import { isRole, ROLES, type Role } from './role.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
/** Names for the owner who starts a server, and for users of a server without authentication. */
const RESERVED = ['owner', 'anybody'];
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 1024;

export function checkedName(name: string): string {
  if (!NAME.test(name))
    throw invalid(
      `invalid name '${name}'`,
      'use up to 64 letters, digits and . _ @ -, starting with a letter or digit',
    );
  if (RESERVED.includes(name.toLowerCase())) throw invalid(`the name '${name}' is reserved`, 'choose another name');
  return name;
}

export function checkedRole(role: string): Role {
  if (isRole(role)) return role;
  const near = nearest(role, ROLES);
  throw invalid(`unknown role '${role}'`, near ? `did you mean '${near}'?` : `use one of ${ROLES.join(', ')}`);
}

export function checkedPassword(password: string): string {
  if (password.length < SHORTEST_PASSWORD)
    throw invalid(`the password is too short`, `use at least ${SHORTEST_PASSWORD} characters`);
  if (password.length > LONGEST_PASSWORD)
    throw invalid(`the password is too long`, `use at most ${LONGEST_PASSWORD} characters`);
  return password;
}

/** Parses a duration such as 30d to milliseconds; null means it never expires. */
export function checkedLifetime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = parseDurationMs(text);
  if (ms !== null && ms > 0) return ms;
  throw invalid(
    `invalid token lifetime '${text}'`,
    'use a duration such as 12h or 30d, or omit it for a token that never expires',
  );
}

/** Name of a token in the audit log; no user can have it. */
export const tokenName = (name: string): string => `token:${name}`;

const invalid = (problem: string, hint: string): QueueError => new QueueError('invalid_account', { problem, hint });
