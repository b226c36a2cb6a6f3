// What a user or a token may be: checked the same way for the command line and for HTTP.

import { QueueError } from '../errors/errors.ts';
import { nearest } from '../text/nearest.ts';
import { parseDurationMs } from '../time/duration.ts';
import { isRole, ROLES, type Role } from './role.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
/** Those who start a server, and those who use one that asks nobody to log in. */
const RESERVED = ['owner', 'anybody'];
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 1024;

export function checkedName(name: string): string {
  if (!NAME.test(name))
    throw invalid(
      `invalid name '${name}'`,
      'use up to 64 letters, digits and . _ @ -, starting with a letter or digit',
    );
  if (RESERVED.includes(name.toLowerCase()))
    throw invalid(`the name '${name}' is reserved`, 'choose another name');
  return name;
}

export function checkedRole(role: string): Role {
  if (isRole(role)) return role;
  const near = nearest(role, ROLES);
  throw invalid(
    `unknown role '${role}'`,
    near ? `did you mean '${near}'?` : `use one of ${ROLES.join(', ')}`,
  );
}

export function checkedPassword(password: string): string {
  if (password.length < SHORTEST_PASSWORD)
    throw invalid(`the password is too short`, `use at least ${SHORTEST_PASSWORD} characters`);
  if (password.length > LONGEST_PASSWORD)
    throw invalid(`the password is too long`, `use at most ${LONGEST_PASSWORD} characters`);
  return password;
}

/** From a duration such as 30d, in milliseconds; null: it never ends. */
export function checkedLifetime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = parseDurationMs(text);
  if (ms !== null && ms > 0) return ms;
  throw invalid(
    `invalid token lifetime '${text}'`,
    'use a duration such as 12h or 30d, or omit it for a token that never expires',
  );
}

/** How a token is called in the record of what was done: no user can have such a name. */
export const tokenName = (name: string): string => `token:${name}`;

const invalid = (problem: string, hint: string): QueueError =>
  new QueueError('invalid_account', { problem, hint });
