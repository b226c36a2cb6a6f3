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
  'schedule add': () => import('./commands/schedule-add.ts'),
  'schedule list': () => import('./commands/schedule-list.ts'),
  'schedule show': () => import('./commands/schedule-show.ts'),
  'schedule next': () => import('./commands/schedule-next.ts'),
  'schedule edit': () => import('./commands/schedule-edit.ts'),
  'schedule pause': () => import('./commands/schedule-pause.ts'),
  'schedule resume': () => import('./commands/schedule-resume.ts'),
  'schedule run': () => import('./commands/schedule-run.ts'),
  'schedule remove': () => import('./commands/schedule-remove.ts'),
  'schedule import': () => import('./commands/schedule-import.ts'),
  status: () => import('./commands/status.ts'),
  list: () => import('./commands/list.ts'),
  show: () => import('./commands/show.ts'),
  graph: () => import('./commands/graph.ts'),
  why: () => import('./commands/why.ts'),
  logs: () => import('./commands/logs.ts'),
  progress: () => import('./commands/progress.ts'),
  'result get': () => import('./commands/result-get.ts'),
  'result set': () => import('./commands/result-set.ts'),
  wait: () => import('./commands/wait.ts'),
  metrics: () => import('./commands/metrics.ts'),
  retry: () => import('./commands/retry.ts'),
  cancel: () => import('./commands/cancel.ts'),
  hold: () => import('./commands/hold.ts'),
  release: () => import('./commands/release.ts'),
  'run-now': () => import('./commands/run-now.ts'),
  edit: () => import('./commands/edit.ts'),
  move: () => import('./commands/move.ts'),
  delete: () => import('./commands/delete.ts'),
  'queue list': () => import('./commands/queue-list.ts'),
  'queue show': () => import('./commands/queue-show.ts'),
  'queue set': () => import('./commands/queue-set.ts'),
  'queue pause': () => import('./commands/queue-pause.ts'),
  'queue resume': () => import('./commands/queue-resume.ts'),
  'queue drain': () => import('./commands/queue-drain.ts'),
  'dlq list': () => import('./commands/dlq-list.ts'),
  'dlq show': () => import('./commands/dlq-show.ts'),
  'dlq retry': () => import('./commands/dlq-retry.ts'),
  'dlq purge': () => import('./commands/dlq-purge.ts'),
  'group list': () => import('./commands/group-list.ts'),
  'group show': () => import('./commands/group-show.ts'),
  'group cancel': () => import('./commands/group-cancel.ts'),
  'group retry': () => import('./commands/group-retry.ts'),
  'group delete': () => import('./commands/group-delete.ts'),
  prune: () => import('./commands/prune.ts'),
  reset: () => import('./commands/reset.ts'),
  serve: () => import('./commands/serve.ts'),
  mcp: () => import('./commands/mcp.ts'),
  activity: () => import('./commands/activity.ts'),
  doctor: () => import('./commands/doctor.ts'),
  'config list': () => import('./commands/config-list.ts'),
  'config get': () => import('./commands/config-get.ts'),
  'config set': () => import('./commands/config-set.ts'),
  'config unset': () => import('./commands/config-unset.ts'),
  'user add': () => import('./commands/user-add.ts'),
  'user list': () => import('./commands/user-list.ts'),
  'user remove': () => import('./commands/user-remove.ts'),
  'token add': () => import('./commands/token-add.ts'),
  'token list': () => import('./commands/token-list.ts'),
  'token remove': () => import('./commands/token-remove.ts'),
  init: () => import('./commands/init.ts'),
  migrate: () => import('./commands/migrate.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  completions: () => import('./commands/completions.ts'),
  demo: () => import('./commands/demo.ts'),
};

export const ALIASES: Readonly<Record<string, string>> = {
  add: 'enqueue',
  dashboard: 'serve',
  pause: 'queue pause',
  resume: 'queue resume',
};

/** What completion scripts and workers call; not for people. */
export const HIDDEN: Readonly<Record<string, Loader>> = {
  __complete: () => import('./commands/complete.ts'),
  __webhook: () => import('./commands/webhook.ts'),
};

export async function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
}
