// Every command by name. Each file is loaded only when its command is used, so that starting stays quick.

import type { Command } from './command.ts';

type Loader = () => Promise<{ command: Command }>;

export const COMMANDS: Readonly<Record<string, Loader>> = {
  enqueue: () => import('./commands/enqueue.ts'),
  run: () => import('./commands/run.ts'),
  'worker start': () => import('./commands/worker-start.ts'),
  'worker run': () => import('./commands/worker-run.ts'),
  'worker stop': () => import('./commands/worker-stop.ts'),
  'worker list': () => import('./commands/worker-list.ts'),
  status: () => import('./commands/status.ts'),
  list: () => import('./commands/list.ts'),
  show: () => import('./commands/show.ts'),
  logs: () => import('./commands/logs.ts'),
  wait: () => import('./commands/wait.ts'),
  metrics: () => import('./commands/metrics.ts'),
  retry: () => import('./commands/retry.ts'),
  cancel: () => import('./commands/cancel.ts'),
  delete: () => import('./commands/delete.ts'),
  'dlq list': () => import('./commands/dlq-list.ts'),
  'dlq show': () => import('./commands/dlq-show.ts'),
  'dlq retry': () => import('./commands/dlq-retry.ts'),
  'dlq purge': () => import('./commands/dlq-purge.ts'),
  prune: () => import('./commands/prune.ts'),
  reset: () => import('./commands/reset.ts'),
  doctor: () => import('./commands/doctor.ts'),
  'config list': () => import('./commands/config-list.ts'),
  'config get': () => import('./commands/config-get.ts'),
  'config set': () => import('./commands/config-set.ts'),
  'config unset': () => import('./commands/config-unset.ts'),
  init: () => import('./commands/init.ts'),
  migrate: () => import('./commands/migrate.ts'),
  completions: () => import('./commands/completions.ts'),
  demo: () => import('./commands/demo.ts'),
};

export const ALIASES: Readonly<Record<string, string>> = { add: 'enqueue' };

/** What completion scripts and workers call; not for people. */
export const HIDDEN: Readonly<Record<string, Loader>> = {
  __complete: () => import('./commands/complete.ts'),
};

export async function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
}
