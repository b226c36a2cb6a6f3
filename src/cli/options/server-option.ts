// --server and QUEUECTL_SERVER: which server the queue is used through, if any.

import { QueueError } from '../../errors/errors.ts';
import { jobServerIn } from '../../job/isolation/job-token.ts';
import type { Context } from '../command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** null: none. What is typed wins over the environment; two places at once are a mistake. */
export function serverFrom(
  options: Pick<Context['options'], 'text'>,
  environment: Environment,
): string | null {
  const [server, db] = [options.text('server'), options.text('db')];
  if (server !== undefined && db !== undefined) throw bothSaid('--server and --db');
  if (server !== undefined) return server;
  if (db !== undefined || !environment.QUEUECTL_SERVER) return null;
  if (environment.QUEUECTL_JOB_ID) return jobServerIn(environment); // in a job: the queue that it is of
  if (environment.QUEUECTL_DB) throw bothSaid('QUEUECTL_SERVER and QUEUECTL_DB');
  return environment.QUEUECTL_SERVER;
}

const bothSaid = (what: string): QueueError =>
  new QueueError('usage', {
    problem: `${what} cannot be combined`,
    hint: 'use --server for a remote queuectl serve, or --db for a database',
  });
