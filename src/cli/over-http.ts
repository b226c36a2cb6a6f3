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
  ...['schedule resume', 'schedule run', 'schedule delete', 'schedule import'],
  ...['queue list', 'queue show', 'queue set', 'queue pause', 'queue resume', 'queue drain'],
  ...['dlq list', 'dlq show', 'dlq retry', 'dlq purge'],
  ...['group list', 'group show', 'group cancel', 'group retry', 'group delete'],
  ...['config list', 'config get', 'config set', 'config unset'],
  ...['user add', 'user list', 'user delete', 'token add', 'token list', 'token delete'],
  ...[
    'recipe add',
    'recipe list',
    'recipe show',
    'recipe delete',
    'secret set',
    'secret list',
    'secret delete',
  ],
  ...['sandbox list', 'sandbox set', 'sandbox delete', 'policy show', 'policy check'],
  ...['completions', 'progress', 'result set', '__complete', '__webhook'], // need no queue, or have it said otherwise
]);

/** Why a command is not among them, and what to do instead; by its name, or its first word. */
const INSTEAD: Readonly<Record<string, string>> = {
  worker:
    'run the worker next to the database with --db, or let the server run jobs: queuectl serve --workers N',
  serve: 'run queuectl serve next to the database, with --db',
  service: 'run the command on the host of the service, without --server and QUEUECTL_SERVER',
  mcp: 'let the agent start queuectl mcp next to the database, with --db; remote programs use the HTTP API or the library',
  init: 'nothing to create: the server already has a queue; check it with queuectl status',
  migrate:
    'run queuectl migrate with --from and --to; to copy through a server, use queuectl export and queuectl import',
  doctor: 'run queuectl doctor on the host of the database; from here, use queuectl status',
  demo: 'run the demo on a local temporary queue: QUEUECTL_SERVER= queuectl demo',
  reset:
    'run queuectl reset next to the database, with --db; over HTTP, delete selected jobs with queuectl prune or queuectl delete',
};

/** Else not_over_http. */
export function checkOverHttp(command: string): void {
  if (OVER_HTTP.has(command)) return;
  const [noun = ''] = command.split(' ');
  throw notOverHttp(command, INSTEAD[noun]);
}
