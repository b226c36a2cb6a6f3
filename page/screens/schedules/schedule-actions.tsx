// What can be done with a schedule. Jobs that it has made stay, whatever becomes of it.

import { confirm } from '../../components/dialog.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { navigate } from '../../core/router.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Job } from '../../core/types.ts';

export const scheduleHref = (name: string): string => `/schedules/${encodeURIComponent(name)}`;

export async function setPaused(name: string, verb: 'pause' | 'resume'): Promise<void> {
  await send('POST', `${scheduleHref(name)}/${verb}`);
  sayDone(verb === 'pause' ? `${name} is paused` : `${name} makes jobs again`);
  reloadAll();
}

export async function runNow(name: string): Promise<void> {
  const job = await send<Job>('POST', `${scheduleHref(name)}/run`);
  sayDone(`${job.id} is enqueued`);
  reloadAll();
}

export const askToRemove = (name: string): void =>
  confirm({
    title: `Remove ${name}?`,
    text: <p>It makes no more jobs, and the history of its ticks goes with it. Jobs it has made stay.</p>,
    action: 'Remove the schedule',
    isDangerous: true,
    run: async () => {
      await send('DELETE', scheduleHref(name));
      sayDone(`${name} is removed`);
      navigate('/schedules');
      reloadAll();
    },
  });
