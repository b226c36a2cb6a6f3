// Which commands can do without the queue itself, through a server. All others need its files or its database, and are refused:
// also a new one, until it is named here. Loaded when there is a server.

import { notOverHttp } from '../remote/no-store.ts';

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

/** Else not_over_http. */
export function checkOverHttp(command: string): void {
  if (!OVER_HTTP.has(command)) throw notOverHttp(command);
}
