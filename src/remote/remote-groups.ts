// Groups and named queues over HTTP.

import { QueueError } from '../errors/errors.ts';
import { EVERY_QUEUE, UNLIMITED } from '../job/flow/concurrency.ts';
import type { Body } from '../library/caller.ts';
import type { Groups, Queues } from '../queue/interface.ts';
import type { GroupRecord } from '../store/store.ts';
import { rateText } from '../time/rate.ts';
import { groupFrom, queueFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { listOf } from './remote-jobs.ts';

const PAGE_SIZE = 1000;

export const remoteGroups = (caller: RemoteCaller): Groups => ({
  all: async (limit) => {
    const found: GroupRecord[] = [];
    const most = limit ?? Number.POSITIVE_INFINITY;
    for (let after: string | null | undefined; after !== null && found.length < most; ) {
      const wish = { limit: Math.min(most - found.length, PAGE_SIZE), after };
      const { groups, next } = await caller.call('listGroups', wish);
      found.push(...groups.map(groupFrom));
      after = next;
    }
    return found;
  },
  get: async (name) => groupFrom(await caller.call('getGroup', { name })),
  ofNewest: async (limit) => {
    const query = { sort: 'created', descending: true, limit: Math.min(limit, PAGE_SIZE) } as const;
    return (await listOf(caller, query)).map(({ id, group }) => ({ id, group }));
  },
  change: async (name, change, onProgress) => {
    if (change === 'delete') return { jobs: await deleted(caller, name), rejections: [] };
    const id = change === 'cancel' ? 'cancelGroup' : 'retryGroup';
    const { total, changed, rejections } = await caller.call(id, { name });
    onProgress(total, total);
    return { jobs: changed, rejections };
  },
});

/** Returns the number of deleted jobs. The server deletes a group without jobs. */
async function deleted(caller: RemoteCaller, name: string): Promise<number> {
  const { total } = await caller.call('getGroup', { name });
  await caller.call('deleteGroup', { name });
  const left = await caller.call('getGroup', { name }).catch((error: unknown) => {
    if (error instanceof QueueError && error.code === 'group_not_found') return { total: 0 };
    throw error;
  });
  return total - left.total;
}

export const remoteQueues = (caller: RemoteCaller): Queues => ({
  limits: async () => (await caller.call('listQueues', {})).queues.map(queueFrom),
  pause: async (name) => {
    await (name === EVERY_QUEUE ? caller.call('pauseAll', {}) : caller.call('pauseQueue', { name }));
  },
  resume: async (name) => {
    await (name === EVERY_QUEUE ? caller.call('resumeAll', {}) : caller.call('resumeQueue', { name }));
    const { all_paused, paused_queues } = await caller.call('getStats', {});
    return [...(all_paused ? [EVERY_QUEUE] : []), ...paused_queues].map((queue) => {
      return { ...UNLIMITED, queue, pausedAt: Date.now() };
    });
  },
  drain: async (name) => {
    await caller.call('drainQueue', { name });
  },
  set: async (name, { limit: { concurrency, ratePerSecond, burst } = {}, hooks, confinement }) => {
    const rate = ratePerSecond == null ? ratePerSecond : rateText(ratePerSecond);
    const body = { concurrency, rate, burst, hooks, ...confinement };
    await caller.call('limitQueue', { name }, body as Body<'limitQueue'>);
  },
});
