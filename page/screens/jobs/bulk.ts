// Bulk operations: a dry run that counts jobs, a confirmation, then progress that can be stopped.

import { signal } from '@preact/signals';
import { get, send } from '../../core/api.ts';
import { counted, shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone, sayFailed } from '../../core/toasts.ts';
import { type Answer, STATES } from '../../core/types.ts';

export type BulkAction = 'retry' | 'cancel' | 'delete' | 'hold' | 'release' | 'run-now';

type Bulk = Answer<'getBulk'>;

/** Jobs by ID, or all jobs that match a filter. */
export type Target = { readonly ids: readonly string[] } | { readonly filter: string };

export const running = signal<Bulk | null>(null);

const POLL_MS = 400;

/** The server requires an explicit flag to select all jobs. */
export const everything = (filter: string): string => (filter.trim() === '' ? `state:${STATES.join(',')}` : filter);

export const preview = (action: BulkAction, target: Target): Promise<{ count: number; sample: string[] }> =>
  send('POST', '/jobs/bulk', { action, ...target, dry_run: true });

export async function run(action: BulkAction, target: Target): Promise<void> {
  const { bulk } = await send<{ bulk: string }>('POST', '/jobs/bulk', { action, ...target });
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
  const what = `${counted(changed, 'job')} ${PAST[action as BulkAction]}`;
  if (state === 'failed') sayFailed(new Error(`${what}, then: ${error}`));
  else sayDone(state === 'stopped' ? `bulk operation stopped: ${what}` : what);
}

export const stop = (id: string): Promise<unknown> => send('DELETE', `/bulk/${id}`);

const PAST: Readonly<Record<BulkAction, string>> = {
  retry: 'retried',
  cancel: 'cancelled',
  delete: 'deleted',
  hold: 'held',
  release: 'released',
  'run-now': 'scheduled to run now',
};

export const commandFor = (action: BulkAction, target: Target): string =>
  `queuectl ${action} ${'ids' in target ? target.ids.join(' ') : `--filter ${shellWord(target.filter)}`}`;
