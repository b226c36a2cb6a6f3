// Locations of a queue's database, job logs and worker logs, derived from --db and the environment only. For a database
// on a server, each host keeps its logs in the directory of the user's default queue.

import { basename, dirname, resolve } from 'node:path';
import { QueueError } from '../errors/errors.ts';
import { addressWithoutPassword, folderNameOf, parseTarget, redacted } from './postgres/session/target.ts';

export interface Place {
  /** Value of --db that names this queue: an absolute path, or a complete URL. */
  readonly db: string;
  /** The same without a password, because other users can read a job's environment. */
  readonly dbForJobs: string;
  /** Location for display, without a password. */
  readonly name: string;
  /** False for the user's default queue, which neither --db nor QUEUECTL_DB names. */
  readonly isNamed: boolean;
  /** Database file; null for a database on a server. */
  readonly file: string | null;
  /** Directory of all files on this host. */
  readonly folder: string;
  /** Directory of attempt logs. */
  readonly logs: string;
  /** Directory of worker logs and PID files. */
  readonly run: string;
  readonly wakePath: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function placeOf(target: string | undefined, environment: Environment): Place {
  if (target === '') throw unusable('--db is empty');
  const named = target || environment.QUEUECTL_DB;
  if (!named) rejectOtherNames(environment);
  const chosen = named || `${homeOf(environment)}/queue.db`;
  if (chosen.includes('\0')) throw unusable('the database path contains a NUL byte');
  if (isPostgres(chosen)) return placeOnServer(chosen, environment);
  if (chosen.includes('=') && KEYWORDS.test(chosen)) throw keywordString();
  if (isAddress(chosen)) throw unusable(`cannot open '${redacted(chosen)}': unsupported database URL`);
  const file = absolute(chosen);
  const folders = foldersIn(dirname(file), basename(file));
  return { db: file, dbForJobs: file, name: file, isNamed: Boolean(named), file, ...folders };
}

function absolute(path: string): string {
  try {
    return resolve(path);
  } catch (error) {
    throw new QueueError(
      'folder_gone',
      {
        so: `, so the relative path '${path}' cannot be resolved`,
        hint: 'use an absolute path, or change to an existing directory',
      },
      { cause: error },
    );
  }
}

/** Names of such variables in other programs. */
const OTHER_NAMES = ['DB_PATH', 'DB_FILE', 'DB_URL', 'DATABASE', 'DATABASE_URL'].map((n) => `QUEUECTL_${n}`);

/** A user who sets one of these variables expects that queue, but would silently get another one. */
function rejectOtherNames(environment: Environment): void {
  const name = OTHER_NAMES.find((other) => environment[other]);
  if (name === undefined) return;
  throw new QueueError('usage', {
    problem: `${name} is set, but queuectl reads the database from QUEUECTL_DB`,
    hint: `QUEUECTL_DB=${redacted(environment[name] ?? '')}`,
  });
}

function placeOnServer(address: string, environment: Environment): Place {
  const target = parseTarget(address, environment);
  const folder = resolve(homeOf(environment));
  const dbForJobs = addressWithoutPassword(address, target);
  return {
    db: address,
    dbForJobs,
    name: target.name,
    isNamed: true,
    file: null,
    ...foldersIn(folder, folderNameOf(target)),
  };
}

/** Keeps the logs of two databases in one directory apart. */
function foldersIn(folder: string, name: string): Pick<Place, 'folder' | 'logs' | 'run' | 'wakePath'> {
  const below = folder === '/' ? '' : folder;
  const run = `${below}/run/${name}`;
  return { folder, logs: `${below}/logs/${name}`, run, wakePath: `${run}/wake` };
}

function homeOf(environment: Environment): string {
  if (environment.QUEUECTL_HOME) return environment.QUEUECTL_HOME;
  return `${environment.XDG_DATA_HOME || `${environment.HOME || homeFolder()}/.local/share`}/queuectl`;
}

/** Home directory according to the system. Loads node:os on demand, because HOME is usually set. */
function homeFolder(): string {
  const { homedir, userInfo } = process.getBuiltinModule('node:os');
  return homedir() || userInfo().homedir;
}

/** Searches for the text first, because V8 takes a tenth of a millisecond to compile a regular expression. */
const isAddress = (chosen: string): boolean => chosen.includes('://') && /^[a-z]+:\/\//i.test(chosen);
const isPostgres = (chosen: string): boolean => isAddress(chosen) && /^postgres(ql)?:/i.test(chosen);

/** libpq's keyword format. As a path, it would create a file with this name. */
const KEYWORDS =
  /^\s*(host|hostaddr|port|dbname|user|password|passfile|service|sslmode|connect_timeout|options|application_name)\s*=/;

const keywordString = (): QueueError =>
  new QueueError('usage', {
    problem: '--db does not support keyword strings (host=... dbname=...)',
    hint: 'write a URL: postgres://user@host:5432/dbname; for a file of that name, put ./ before it',
  });

const unusable = (problem: string): QueueError =>
  new QueueError('usage', { problem, hint: 'set --db to a file path or to postgres://host/database' });
