// --server and QUEUECTL_SERVER: which server the queue is used through, if any, and which commands can do without the queue
// itself. All others need its files or its database, and are refused.

import { QueueError } from '../errors.ts';
import type { Options } from './command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** null: none. What is typed wins over the environment; two places at once are a mistake. */
export function serverFrom(options: Pick<Options, 'text'>, environment: Environment): string | null {
  const [server, db] = [options.text('server'), options.text('db')];
  if (server !== undefined && db !== undefined) throw bothSaid('--server and --db');
  if (server !== undefined) return server;
  if (db !== undefined || !environment.QUEUECTL_SERVER) return null;
  if (environment.QUEUECTL_JOB_ID) return null; // in a job: the queue that it is of
  if (environment.QUEUECTL_DB) throw bothSaid('QUEUECTL_SERVER and QUEUECTL_DB');
  return environment.QUEUECTL_SERVER;
}

const bothSaid = (what: string): QueueError =>
  new QueueError('usage', {
    problem: `${what} name two queues at once`,
    hint: 'keep one: --server for a queue behind queuectl serve, --db for its file or database',
  });

const OVER_HTTP: ReadonlySet<string> = new Set([
  ...['enqueue', 'run', 'status', 'list', 'show', 'graph', 'why', 'logs', 'wait', 'metrics', 'activity'],
  ...['retry', 'cancel', 'delete', 'hold', 'release', 'run-now', 'edit', 'move', 'worker list', 'result get'],
  ...['schedule add', 'schedule list', 'schedule show', 'schedule next', 'schedule edit', 'schedule pause'],
  ...['schedule resume', 'schedule run', 'schedule remove', 'schedule import'],
  ...['queue list', 'queue show', 'queue set', 'queue pause', 'queue resume', 'queue drain'],
  ...['dlq list', 'dlq show', 'dlq retry', 'dlq purge'],
  ...['group list', 'group show', 'group cancel', 'group retry', 'group delete'],
  ...['config list', 'config get', 'config set', 'config unset'],
  ...['user add', 'user list', 'user remove', 'token add', 'token list', 'token remove'],
  ...['completions', 'progress', 'result set', '__complete', '__webhook'], // need no queue, or have it said otherwise
]);

/** Else not_over_http. */
export function checkOverHttp(command: string): void {
  if (OVER_HTTP.has(command)) return;
  throw new QueueError('not_over_http', {
    command,
    hint: 'do it where the queue is: without --server and QUEUECTL_SERVER, or with --db',
  });
}
