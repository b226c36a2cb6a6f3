// Where a queue lives: its database, its job logs, its worker logs. Derived from --db and the environment alone.
// A queue on a server has its logs on each host that works for it, in the folder of the user's own queue.

import { basename, dirname, resolve } from 'node:path';
import { QueueError } from '../errors/errors.ts';
import { addressWithoutPassword, folderNameOf, parseTarget, redacted } from './postgres/session/target.ts';

export interface Place {
  /** What --db would have to be to mean this place: an absolute path, or an address with all it has to hold. */
  readonly db: string;
  /** The same without a password, which others could read in a job's environment. */
  readonly dbForJobs: string;
  /** The place as a user would name it: without a password. */
  readonly name: string;
  /** Whether --db or QUEUECTL_DB names it; otherwise it is the user's default queue. */
  readonly isNamed: boolean;
  /** The database file, or null: it is on a server. */
  readonly file: string | null;
  /** The folder that everything on this machine is in. */
  readonly folder: string;
  /** Folder of the attempts' logs. */
  readonly logs: string;
  /** Folder of worker logs and pid files. */
  readonly run: string;
  readonly wakePath: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function placeOf(target: string | undefined, environment: Environment): Place {
  if (target === '') throw unusable('--db is empty');
  const named = target || environment.QUEUECTL_DB;
  if (!named) refuseOtherNames(environment);
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

/** What other programs call such a variable. */
const OTHER_NAMES = ['DB_PATH', 'DB_FILE', 'DB_URL', 'DATABASE', 'DATABASE_URL'].map((n) => `QUEUECTL_${n}`);

/** Anyone who sets one of them means a queue, and would silently be given another one. */
function refuseOtherNames(environment: Environment): void {
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

/** Two databases in one folder keep their logs apart. */
function foldersIn(folder: string, name: string): Pick<Place, 'folder' | 'logs' | 'run' | 'wakePath'> {
  const below = folder === '/' ? '' : folder;
  const run = `${below}/run/${name}`;
  return { folder, logs: `${below}/logs/${name}`, run, wakePath: `${run}/wake` };
}

function homeOf(environment: Environment): string {
  if (environment.QUEUECTL_HOME) return environment.QUEUECTL_HOME;
  return `${environment.XDG_DATA_HOME || `${environment.HOME || homeFolder()}/.local/share`}/queuectl`;
}

/** As the system knows it. Hardly ever asked for, so node:os is loaded only then. */
function homeFolder(): string {
  const { homedir, userInfo } = process.getBuiltinModule('node:os');
  return homedir() || userInfo().homedir;
}

/** Looked for first: a regular expression that is used once takes V8 a tenth of a millisecond. */
const isAddress = (chosen: string): boolean => chosen.includes('://') && /^[a-z]+:\/\//i.test(chosen);
const isPostgres = (chosen: string): boolean => isAddress(chosen) && /^postgres(ql)?:/i.test(chosen);

/** How libpq can be told a server, too; to us it would be the name of a file. */
const KEYWORDS =
  /^\s*(host|hostaddr|port|dbname|user|password|passfile|service|sslmode|connect_timeout|options|application_name)\s*=/;

const keywordString = (): QueueError =>
  new QueueError('usage', {
    problem: '--db does not support keyword strings (host=... dbname=...)',
    hint: 'write a URL: postgres://user@host:5432/dbname; for a file of that name, put ./ before it',
  });

const unusable = (problem: string): QueueError =>
  new QueueError('usage', { problem, hint: 'set --db to a file path or to postgres://host/database' });
