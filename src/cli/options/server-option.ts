// --server and QUEUECTL_SERVER: the server through which the queue is used.

import { type QueueError, usageError } from '../../errors/errors.ts';
import { jobServerIn } from '../../job/isolation/job-token.ts';
import type { Context } from '../command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns null without a server. Options win over the environment; a server and a database together are an error. */
export function serverFrom(options: Pick<Context['options'], 'text'>, environment: Environment): string | null {
  const [server, db] = [options.text('server'), options.text('db')];
  if (server !== undefined && db !== undefined) throw bothSaid('--server and --db');
  if (server !== undefined) return server;
  if (db !== undefined || !environment.QUEUECTL_SERVER) return null;
  if (environment.QUEUECTL_JOB_ID) return jobServerIn(environment); // inside a job: the queue of the job
  if (environment.QUEUECTL_DB) throw bothSaid('QUEUECTL_SERVER and QUEUECTL_DB');
  return environment.QUEUECTL_SERVER;
}

const bothSaid = (what: string): QueueError =>
  usageError(`${what} cannot be combined`, 'use --server for a remote queuectl serve, or --db for a database');
