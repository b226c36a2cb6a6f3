// The commands that are recorded as activity. New jobs are not: each job says itself when it came, and to
// enqueue must cost nothing more.

const RECORDED: ReadonlySet<string> = new Set([
  ...['cancel', 'retry', 'delete', 'edit', 'hold', 'release', 'run-now', 'move', 'prune', 'reset', 'import'],
  ...['dlq retry', 'dlq purge', 'group cancel', 'group retry', 'group delete', 'worker stop'],
  ...['queue set', 'queue pause', 'queue resume', 'queue drain', 'config set', 'config unset'],
  ...[
    'schedule add',
    'schedule edit',
    'schedule pause',
    'schedule resume',
    'schedule run',
    'schedule delete',
  ],
  ...['schedule import', 'secret set', 'secret delete', 'recipe add', 'recipe delete'],
  ...['sandbox set', 'sandbox delete', 'user add', 'user delete', 'token add', 'token delete'],
]);

export const isRecorded = (command: string): boolean => RECORDED.has(command);
