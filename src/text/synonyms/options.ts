// Synonyms of options. A key is an option name, optionally prefixed by a command or command group; the longest matching
// key wins. Exact equivalents work; the others get a hint. A command's own options are never looked up here.

const SAME: Readonly<Record<string, string>> = {
  'db-path': 'db',
  'db-file': 'db',
  database: 'db',
  'database-url': 'db',
  storage: 'db',
  'storage-path': 'db',
  cmd: 'command',
  retries: 'max-retries',
  prio: 'priority',
  'depends-on': 'after',
  timezone: 'tz',
  'time-zone': 'tz',
  'logs lines': 'tail',
  'worker workers': 'count',
  'worker num-workers': 'count',
  'worker daemon': 'detach',
  'worker background': 'detach',
  'worker drain': 'exit-when-empty',
  'worker stop-when-empty': 'exit-when-empty',
  'service install drain': 'exit-when-empty',
  'schedule show env': 'show-env',
  'service install print': 'dry-run',
  'group delete force': 'cancel',
  'dlq purge force': 'yes',
  'prune force': 'yes',
};

type Hint = string | ((command: string, typed: string) => string);

const POLLING = 'change the interval for all workers: queuectl config set poll_interval 1s';

const HINTS: Readonly<Record<string, Hint>> = {
  id: (command) => `pass the ID as an argument: queuectl ${command} ID`,
  warn: 'did you mean --warn-signal SIG@TIME?',
  'enqueue f': 'enqueue jobs from a file: queuectl enqueue --file FILE',
  'enqueue r': 'did you mean --max-retries?',
  'run r': 'did you mean --max-retries?',
  'schedule r': 'did you mean --max-retries?',
  'enqueue c': "pass the command as an argument: queuectl enqueue 'COMMAND'",
  'run c': "pass the command as an argument: queuectl run 'COMMAND'",
  'export f': 'did you mean --force?',
  'worker once': 'exit when no job is left to run: queuectl worker start --exit-when-empty',
  'worker idle-timeout': 'exit when no job is left to run: queuectl worker start --exit-when-empty',
  'worker poll-interval': POLLING,
  'config key': (command) => `queuectl ${command} KEY`,
  'config set key': 'queuectl config set KEY VALUE',
  'config set value': 'queuectl config set KEY VALUE',
  'config *': (command, typed) =>
    `pass the setting as an argument: queuectl ${command} ${typed.replaceAll('-', '_')}${command === 'config set' ? ' VALUE' : ''}`,
};

/** Returns the option that `typed` stands for in a command. */
export function optionMeant(command: string, typed: string): string | undefined {
  return found(SAME, command, typed);
}

/** Returns a hint for an option that does not exist. */
export function optionHint(command: string, typed: string): string | undefined {
  const hint = found(HINTS, command, typed) ?? found(HINTS, command, '*');
  return typeof hint === 'function' ? hint(command, typed) : hint;
}

/** Returns every key of both tables, with its option or hint. */
export function optionSynonyms(): { same: [string, string][]; hints: [string, string][] } {
  const hints = Object.entries(HINTS).map(([key, hint]): [string, string] => [
    key,
    typeof hint === 'string' ? hint : hint('show', 'x'),
  ]);
  return { same: Object.entries(SAME), hints };
}

function found<T>(table: Readonly<Record<string, T>>, command: string, typed: string): T | undefined {
  const [group = ''] = command.split(' ');
  const key = [`${command} ${typed}`, `${group} ${typed}`, typed].find((name) => Object.hasOwn(table, name));
  return key === undefined ? undefined : table[key];
}
