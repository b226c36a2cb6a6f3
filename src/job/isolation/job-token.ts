// The token by which an attempt uses its queue through the socket of its worker, and what else both
// sides have to know about the two. Pure.

import { newEnvironment } from '../environment/environment.ts';

/** What the address of a unix socket begins with: unix:/run/queuectl/… */
export const UNIX = 'unix:';

/** Where an attempt finds its socket and its token. */
export const JOB_SERVER = 'QUEUECTL_SERVER';
export const JOB_TOKEN = 'QUEUECTL_TOKEN';

/** Makes a leaked token easy to find, for people and for scanners. */
const PREFIX = 'qjob_';

/** It says which queue it is for, so that a command in the job that is told another one by QUEUECTL_DB goes there. */
export const jobToken = (secret: string, db: string): string => `${PREFIX}${secret}.${markOf(db)}`;

export const isTokenFor = (token: string, db: string): boolean => token.endsWith(`.${markOf(db)}`);

const markOf = (db: string): string => newEnvironment(db).hash.toString(36);

type Environment = Readonly<Record<string, string | undefined>>;

/** The way in of the job that this process is part of; null: it has none, or means another queue. */
export function jobServerIn(environment: Environment): string | null {
  const { QUEUECTL_SERVER: server, QUEUECTL_TOKEN: token = '', QUEUECTL_DB: db } = environment;
  if (!server?.startsWith(UNIX)) return null;
  return db === undefined || isTokenFor(token, db) ? server : null;
}

/** For what does not belong to the job any more: a worker that it starts, and the jobs of that one. */
export function withoutJobServer<T extends Environment>(environment: T): T {
  if (!environment[JOB_SERVER]?.startsWith(UNIX)) return environment;
  const { [JOB_SERVER]: _, [JOB_TOKEN]: __, ...others } = environment;
  return others as unknown as T;
}
