// Looks up the user that a service runs as.

import { spawnSync } from 'node:child_process';
import { QueueError } from '../errors/errors.ts';

export interface Account {
  readonly home: string;
  readonly ids: readonly [uid: number, gid: number];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Asks the shell, which supports all sources of accounts. */
export function accountOf(name: string): Account {
  if (!NAME.test(name)) throw unknown(name);
  const script = `printf '%s\\n' ~${name}; id -u ${name}; id -g ${name}`;
  const [home = '', uid, gid] = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\n');
  if (!home.startsWith('/') || !uid || !gid) throw unknown(name);
  return { home, ids: [Number(uid), Number(gid)] };
}

const unknown = (name: string): QueueError =>
  new QueueError('usage', {
    problem: `user '${name}' not found on this host`,
    hint: 'check the user name: id NAME',
  });
