// Actions on a schedule. They never affect existing jobs.

import { confirm } from '../../components/dialog.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { navigate } from '../../core/router.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Job } from '../../core/types.ts';

export const scheduleHref = (name: string): string => `/schedules/${encodeURIComponent(name)}`;

export async function setPaused(name: string, verb: 'pause' | 'resume'): Promise<void> {
  await send('POST', `${scheduleHref(name)}/${verb}`);
  sayDone(verb === 'pause' ? `schedule ${name} paused` : `schedule ${name} resumed`);
  reloadAll();
}

export async function runNow(name: string): Promise<void> {
  const job = await send<Job>('POST', `${scheduleHref(name)}/run`);
  sayDone(`job ${job.id} enqueued`);
  reloadAll();
}

export const askToDelete = (name: string): void =>
  confirm({
    title: `Delete ${name}?`,
    text: <p>The schedule and the history of its runs are deleted. Its jobs stay.</p>,
    action: 'Delete the schedule',
    isDangerous: true,
    run: async () => {
      await send('DELETE', scheduleHref(name));
      sayDone(`schedule ${name} deleted`);
      navigate('/schedules');
      reloadAll();
    },
  });
