// The accounts of this system, as far as running a job as one of them needs it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { findProgram } from './programs.ts';
import { Refusal } from './refusal.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** By its name or number. Refuses where there is none. */
export function accountNamed(user: string): Account {
  const found = inFile(user) ?? fromDirectory(user);
  if (found) return found;
  throw new Refusal(`user '${user}' not found on this host`);
}

/** Of the user of this process. A container may run it under a number that no account has; then HOME decides. */
export function ownHome(account: () => { readonly homedir: string } = userInfo): string {
  try {
    return account().homedir;
  } catch {
    return homedir();
  }
}

/** For people: a number, if no account has it. */
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

/** Users that come over the network, from a directory. */
function fromDirectory(user: string): Account | null {
  const getent = findProgram('getent');
  if (getent === null) return null;
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return accountIn(execFileSync(getent, ['passwd', '--', user], { encoding: 'utf8', stdio: [...stdio] }));
  } catch {
    return null; // it answers that there is none by failing
  }
}

function accountIn(line: string): Account | null {
  const [name, , uid, gid, , home, shell] = line.trim().split(':');
  if (!name || !uid || !gid) return null;
  return { name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' };
}
