// Synonyms of commands. Exact equivalents work; ambiguous names and names without a command get a hint.

/** A command name, and the flags that the synonym stands for. */
type Meaning = readonly [name: string, ...flags: string[]];

const SYNONYMS: Readonly<Record<string, Meaning>> = {
  submit: ['enqueue'],
  push: ['enqueue'],
  ls: ['list'],
  ps: ['list'],
  jobs: ['list'],
  get: ['show'],
  info: ['show'],
  describe: ['show'],
  inspect: ['show'],
  log: ['logs'],
  web: ['serve'],
  ui: ['serve'],
  webui: ['serve'],
  'web-ui': ['serve'],
  gui: ['serve'],
  top: ['status', '--watch'],
  'init-db': ['init'],
  initdb: ['init'],
  tail: ['logs', '--follow'],
  stats: ['metrics'],
  watch: ['status', '--watch'],
  kill: ['cancel'],
  rm: ['delete'],
  remove: ['delete'],
  requeue: ['retry'],
  unhold: ['release'],
  health: ['doctor'],
  check: ['doctor'],
  workers: ['worker list'],
  'worker ps': ['worker list'],
  'worker status': ['worker list'],
  settings: ['config list'],
  'config show': ['config get'],
  'config delete': ['config unset'],
  'config reset': ['config unset'],
  'config rm': ['config unset'],
  queues: ['queue list'],
  schedules: ['schedule list'],
  'schedule info': ['schedule show'],
  'schedule trigger': ['schedule run'],
  groups: ['group list'],
  'group status': ['group show'],
  'group wait': ['wait', '--group'],
  'group kill': ['group cancel'],
  'service ls': ['service status'],
  'service list': ['service status'],
  'service remove': ['service uninstall'],
  'service rm': ['service uninstall'],
  'dlq clear': ['dlq purge'],
  'dlq delete': ['delete'],
  'dlq rm': ['delete'],
  'dlq remove': ['delete'],
  'dlq requeue': ['dlq retry'],
  'dlq retry-all': ['dlq retry', '--all'],
};

/** Synonyms of verbs in groups of commands that have the verb and no synonym of their own. */
export const VERBS: Readonly<Record<string, string>> = { ls: 'list', rm: 'delete', remove: 'delete' };

const REMOVERS =
  'delete finished jobs with queuectl prune, dead jobs with queuectl dlq purge, or all jobs with queuectl reset';

/** Hints for names without a command. */
const INSTEAD: Readonly<Record<string, string>> = {
  backup: 'write a backup with queuectl export --all FILE; restore it with queuectl import FILE',
  restore: 'restore a backup of queuectl export --all FILE with queuectl import FILE',
  upgrade: 'upgrade the database with queuectl init; every command also does so when needed',
  clean: REMOVERS,
  cleanup: REMOVERS,
  start: "start workers with queuectl worker start; run a command now with queuectl run 'COMMAND'",
  stop: 'stop workers with queuectl worker stop; stop a job with queuectl cancel ID',
  daemon:
    'start workers in the background with queuectl worker start; install them as a service with queuectl service install worker',
  drain:
    'run all waiting jobs and exit with queuectl worker start --exit-when-empty; empty a queue with queuectl queue drain NAME',
  clear: REMOVERS,
  flush: REMOVERS,
  purge: REMOVERS,
  cron: "add a schedule with queuectl schedule add NAME --cron '30 2 * * *' 'COMMAND'; import your crontab with queuectl schedule import --crontab",
  'worker pause':
    'pause all queues with queuectl pause until queuectl resume; stop workers after their jobs finish with queuectl worker stop',
  'worker resume': 'resume after queuectl pause with queuectl resume; start workers with queuectl worker start',
  'worker restart': 'queuectl worker stop && queuectl worker start',
  'worker kill': 'stop workers and requeue their jobs with queuectl worker stop --force',
  'worker logs':
    'show the output of a job with queuectl logs ID; worker logs are in the run directory that queuectl init prints',
};

export function synonymFor(typed: string): Meaning | undefined {
  return Object.hasOwn(SYNONYMS, typed) ? SYNONYMS[typed] : undefined;
}

export function insteadOf(typed: string): string | undefined {
  return Object.hasOwn(INSTEAD, typed) ? INSTEAD[typed] : undefined;
}

/** Returns both tables: synonyms with their meaning, and names with their hint. */
export function commandSynonyms(): { same: [string, Meaning][]; hints: [string, string][] } {
  return { same: Object.entries(SYNONYMS), hints: Object.entries(INSTEAD) };
}
