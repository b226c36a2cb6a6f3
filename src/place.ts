// Where a queue lives: its database, its job logs, its worker logs. Derived from --db and the environment alone.

import { homedir, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { QueueError } from './errors.ts';

export interface Place {
  /** The database file, absolute. */
  readonly db: string;
  /** Folder of the attempts' logs. */
  readonly logs: string;
  /** Folder of worker logs and pid files. */
  readonly run: string;
  readonly wakePath: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function placeOf(target: string | undefined, environment: Environment): Place {
  if (target === '') throw unusable('--db is empty');
  const chosen = target || environment.QUEUECTL_DB || join(homeOf(environment), 'queue.db');
  if (chosen.includes('\0')) throw unusable('a path cannot hold a NUL byte');
  if (/^[a-z]+:\/\//i.test(chosen)) throw unusable(`this version cannot open '${chosen}'`);
  const db = resolve(chosen);
  const folder = dirname(db);
  const name = basename(db);
  // Two databases in one folder keep their logs apart.
  return {
    db,
    logs: join(folder, 'logs', name),
    run: join(folder, 'run', name),
    wakePath: join(folder, 'run', name, 'wake'),
  };
}

function homeOf(environment: Environment): string {
  if (environment.QUEUECTL_HOME) return environment.QUEUECTL_HOME;
  const data =
    environment.XDG_DATA_HOME || join(environment.HOME || homedir() || userInfo().homedir, '.local', 'share');
  return join(data, 'queuectl');
}

const unusable = (problem: string): QueueError =>
  new QueueError('usage', { problem, hint: 'give --db the path of a file' });
