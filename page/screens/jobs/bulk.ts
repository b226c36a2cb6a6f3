// Changing many jobs: first how many it would be, then with a confirmation, then with progress that can be stopped.

import { signal } from '@preact/signals';
import { get, send } from '../../core/api.ts';
import { counted, shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone, sayFailed } from '../../core/toasts.ts';
import { STATES } from '../../core/types.ts';

export type BulkAction = 'retry' | 'cancel' | 'delete' | 'hold' | 'release' | 'run-now' | 'move';

export interface Bulk {
  readonly id: string;
  readonly action: string;
  readonly done: number;
  readonly total: number;
  readonly changed: number;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: string | null;
}

/** Some jobs by their ids, or all that match. */
export type Target = { readonly ids: readonly string[] } | { readonly filter: string };

/** What runs at the moment. */
export const running = signal<Bulk | null>(null);

const POLL_MS = 400;

/** The server wants it said when everything is meant. */
export const everything = (filter: string): string =>
  filter.trim() === '' ? `state:${STATES.join(',')}` : filter;

export const preview = (
  action: BulkAction,
  target: Target,
  more: object,
): Promise<{ count: number; sample: string[] }> =>
  send('POST', '/jobs/bulk', { action, ...target, ...more, dry_run: true });

export async function run(action: BulkAction, target: Target, more: object): Promise<void> {
  const { bulk } = await send<{ bulk: string }>('POST', '/jobs/bulk', { action, ...target, ...more });
  void follow(bulk);
}

async function follow(id: string): Promise<void> {
  try {
    for (;;) {
      const bulk = await get<Bulk>(`/bulk/${id}`);
      running.value = bulk;
      if (bulk.state !== 'running') return end(bulk);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } catch (error) {
    running.value = null;
    sayFailed(error);
  }
}

function end({ action, changed, state, error }: Bulk): void {
  running.value = null;
  reloadAll();
  const what = `${PAST[action] ?? action} ${counted(changed, 'job')}`;
  if (state === 'failed') sayFailed(new Error(`${what}, then: ${error}`));
  else sayDone(state === 'stopped' ? `Stopped: ${what}` : what.charAt(0).toUpperCase() + what.slice(1));
}

export const stop = (id: string): Promise<unknown> => send('DELETE', `/bulk/${id}`);

const PAST: Readonly<Record<string, string>> = {
  retry: 'retried',
  cancel: 'cancelled',
  delete: 'deleted',
  hold: 'held',
  release: 'released',
  'run-now': 'started',
  move: 'moved',
  edit: 'changed',
};

/** The command line that does the same. */
export function commandFor(action: BulkAction, target: Target, queue = ''): string {
  const verb = action === 'move' ? 'edit' : action;
  const which = 'ids' in target ? target.ids.join(' ') : `--filter ${shellWord(target.filter)}`;
  return `queuectl ${verb} ${which}${action === 'move' ? ` --queue ${shellWord(queue)}` : ''}`;
}
