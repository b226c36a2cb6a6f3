// Actions on a schedule. They never affect existing jobs.

import { change } from '../../core/change.ts';
import { itemHref } from '../../core/router.ts';
import type { Job } from '../../core/types.ts';

export const pause = (name: string): Promise<unknown> =>
  change(`schedule ${name} paused`, 'POST', `${itemHref('schedules', name)}/pause`);

export const resume = (name: string): Promise<unknown> =>
  change(`schedule ${name} resumed`, 'POST', `${itemHref('schedules', name)}/resume`);

export const runNow = (name: string): Promise<unknown> =>
  change<Job>(({ id }) => `job ${id} enqueued`, 'POST', `${itemHref('schedules', name)}/run`);
