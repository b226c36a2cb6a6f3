// Which commands can do without the queue itself, through a server. All others need its files or its database, and are refused:
// also a new one, until it is named here. Loaded when there is a server.

import { notOverHttp } from '../remote/no-store.ts';

const OVER_HTTP: ReadonlySet<string> = new Set([
  ...[
    'enqueue',
    'run',
    'prune',
    'export',
    'import',
    'worker stop',
    'status',
    'list',
    'show',
    'graph',
    'why',
    'logs',
    'wait',
    'metrics',
    'activity',
  ],
  ...['retry', 'cancel', 'delete', 'hold', 'release', 'run-now', 'edit', 'move', 'worker list', 'result get'],
  ...['schedule add', 'schedule list', 'schedule show', 'schedule next', 'schedule edit', 'schedule pause'],
  ...['schedule resume', 'schedule run', 'schedule remove', 'schedule import'],
  ...['queue list', 'queue show', 'queue set', 'queue pause', 'queue resume', 'queue drain'],
  ...['dlq list', 'dlq show', 'dlq retry', 'dlq purge'],
  ...['group list', 'group show', 'group cancel', 'group retry', 'group delete'],
  ...['config list', 'config get', 'config set', 'config unset'],
  ...['user add', 'user list', 'user remove', 'token add', 'token list', 'token remove'],
  ...[
    'recipe add',
    'recipe list',
    'recipe show',
    'recipe remove',
    'secret set',
    'secret list',
    'secret remove',
  ],
  ...['sandbox list', 'sandbox set', 'sandbox remove', 'policy show', 'policy check'],
  ...['completions', 'progress', 'result set', '__complete', '__webhook'], // need no queue, or have it said otherwise
]);

/** Why a command is not among them, and what to do instead; by its name, or its first word. */
const INSTEAD: Readonly<Record<string, string>> = {
  worker:
    'a worker runs jobs on its own machine: start it there with --db; queuectl serve --workers N has the server run some',
  serve: 'it serves the queue of its own machine: start it there, with --db',
  service: 'the machine itself keeps its services: do it there, without --server and QUEUECTL_SERVER',
  mcp: 'an agent starts it where the queue is, with --db; elsewhere programs use the HTTP API or the library',
  init: 'there is nothing to make: the server has a queue already; queuectl status shows it',
  migrate:
    'it goes from database to database; through a server a queue goes by queuectl export and queuectl import',
  doctor:
    'it looks at the machine that it runs on: run it where the queue is; queuectl status works from here',
  demo: 'it makes a queue of its own, here and for a moment: QUEUECTL_SERVER= queuectl demo',
  reset:
    'it leaves nothing, and one wrong address would be enough, so it is done where the queue is; from here queuectl prune and queuectl delete remove what you name',
};

/** Else not_over_http. */
export function checkOverHttp(command: string): void {
  if (OVER_HTTP.has(command)) return;
  const [noun = ''] = command.split(' ');
  throw notOverHttp(command, INSTEAD[noun]);
}
