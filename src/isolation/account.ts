// Looks up system accounts for running jobs as other users.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { findProgram } from './programs.ts';
import { Rejection } from './rejection.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** Finds an account by name or UID. Throws a Rejection if there is none. */
export function accountNamed(user: string): Account {
  const found = inFile(user) ?? fromDirectory(user);
  if (found) return found;
  throw new Rejection(`user '${user}' not found on this host`);
}

/** Home directory of this process's user. In a container the UID may have no account; HOME is used then. */
export function ownHome(account: () => { readonly homedir: string } = userInfo): string {
  try {
    return account().homedir;
  } catch {
    return homedir();
  }
}

/** Name for display; the UID if it has no account. */
export function ownName(account: () => { readonly username: string } = userInfo): string {
  try {
    return account().username;
  } catch {
    return String(process.getuid?.());
  }
}

const inFile = (user: string): Account | null =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(accountIn)
    .find((account) => account?.name === user || String(account?.uid) === user) ?? null;

/** Accounts from network directories such as LDAP. */
function fromDirectory(user: string): Account | null {
  const getent = findProgram('getent');
  if (getent === null) return null;
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return accountIn(execFileSync(getent, ['passwd', '--', user], { encoding: 'utf8', stdio: [...stdio] }));
  } catch {
    return null; // getent fails if there is no such account
  }
}

function accountIn(line: string): Account | null {
  const [name, , uid, gid, , home, shell] = line.trim().split(':');
  if (!name || !uid || !gid) return null;
  return { name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' };
}
