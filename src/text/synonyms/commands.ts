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
  'worker ls': ['worker list'],
  'worker ps': ['worker list'],
  'worker status': ['worker list'],
  settings: ['config list'],
  'config ls': ['config list'],
  'config show': ['config get'],
  'config delete': ['config unset'],
  'config reset': ['config unset'],
  'config rm': ['config unset'],
  queues: ['queue list'],
  'queue ls': ['queue list'],
  schedules: ['schedule list'],
  'schedule ls': ['schedule list'],
  'schedule info': ['schedule show'],
  'schedule rm': ['schedule remove'],
  'schedule delete': ['schedule remove'],
  'schedule trigger': ['schedule run'],
  groups: ['group list'],
  'group ls': ['group list'],
  'group status': ['group show'],
  'group wait': ['wait', '--group'],
  'group kill': ['group cancel'],
  'group rm': ['group delete'],
  'group remove': ['group delete'],
  'service ls': ['service status'],
  'service list': ['service status'],
  'service remove': ['service uninstall'],
  'service rm': ['service uninstall'],
  'dlq ls': ['dlq list'],
  'dlq clear': ['dlq purge'],
  'dlq delete': ['delete'],
  'dlq rm': ['delete'],
  'dlq remove': ['delete'],
  'dlq requeue': ['dlq retry'],
  'dlq retry-all': ['dlq retry', '--all'],
};

const REMOVERS =
  'queuectl prune removes finished jobs, queuectl dlq purge dead jobs, queuectl reset all jobs';

/** Hints for names without a command. */
const INSTEAD: Readonly<Record<string, string>> = {
  backup: 'queuectl export --all FILE writes a backup; queuectl import FILE restores it',
  restore: 'queuectl import FILE restores what queuectl export --all FILE has written',
  upgrade: 'queuectl init upgrades the database of an older version; every command does so when needed',
  clean: REMOVERS,
  cleanup: REMOVERS,
  start: "queuectl worker start starts workers; queuectl run 'COMMAND' runs a command now",
  stop: 'queuectl worker stop stops the workers; queuectl cancel ID stops a job',
  daemon:
    'queuectl worker start starts workers in the background; queuectl service install worker keeps them',
  drain:
    'queuectl worker start --drain runs what is there and leaves; queuectl queue drain NAME waits until a queue is empty',
  clear: REMOVERS,
  flush: REMOVERS,
  purge: REMOVERS,
  cron: "queuectl schedule add NAME --cron '30 2 * * *' 'COMMAND' runs it again and again; queuectl schedule import --crontab takes over yours",
  'worker pause':
    'queuectl pause has them start nothing new until queuectl resume; queuectl worker stop ends them when their jobs have finished',
  'worker resume': 'queuectl resume goes on after queuectl pause; queuectl worker start starts workers',
  'worker restart': 'queuectl worker stop && queuectl worker start',
  'worker kill': 'queuectl worker stop --force ends their jobs too and puts them back',
  'worker logs':
    'queuectl logs ID shows what a job wrote; each worker keeps its own log in the run folder that queuectl init names',
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
