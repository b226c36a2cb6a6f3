// The token with which an attempt uses its queue through its worker's socket, and the names that both sides share.
// Pure.

import { newEnvironment } from '../environment/environment.ts';

/** Prefix of a Unix socket address, as in unix:/run/queuectl/… */
export const UNIX = 'unix:';

/** Variables that give an attempt its socket and its token. */
export const JOB_SERVER = 'QUEUECTL_SERVER';
export const JOB_TOKEN = 'QUEUECTL_TOKEN';

/** Makes leaked tokens easy to find for secret scanners. */
const PREFIX = 'qjob_';

/** The token identifies its queue, so that a command with another QUEUECTL_DB connects there instead. */
export const jobToken = (secret: string, db: string): string => `${PREFIX}${secret}.${markOf(db)}`;

export const isTokenFor = (token: string, db: string): boolean => token.endsWith(`.${markOf(db)}`);

const markOf = (db: string): string => newEnvironment(db).hash.toString(36);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the job socket of the job this process belongs to, or null if there is none or QUEUECTL_DB names another
 * queue.
 */
export function jobServerIn(environment: Environment): string | null {
  const { QUEUECTL_SERVER: server, QUEUECTL_TOKEN: token = '', QUEUECTL_DB: db } = environment;
  if (!server?.startsWith(UNIX)) return null;
  return db === undefined || isTokenFor(token, db) ? server : null;
}

/** Used for processes outside the job: a worker that it starts, and that worker's jobs. */
export function withoutJobServer<T extends Environment>(environment: T): T {
  if (!environment[JOB_SERVER]?.startsWith(UNIX)) return environment;
  const { [JOB_SERVER]: _, [JOB_TOKEN]: __, ...others } = environment;
  return others as unknown as T;
}
