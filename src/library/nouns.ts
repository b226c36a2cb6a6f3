// The schedules, groups, named queues and workers of the library, over the HTTP API.

import type { Caller } from './caller.ts';
import type { Group } from './data.ts';
import type { Groups, NamedQueues, Schedules, Workers } from './interface.ts';

export const schedulesOver = (caller: Caller): Schedules => ({
  add: (schedule) => caller.call('addSchedule', {}, schedule),
  list: async () => (await caller.call('listSchedules', {})).schedules,
  get: (name) => caller.call('getSchedule', { name }),
  edit: (name, change) => caller.call('editSchedule', { name }, change),
  pause: (name) => caller.call('pauseSchedule', { name }),
  resume: (name) => caller.call('resumeSchedule', { name }),
  run: (name) => caller.call('runSchedule', { name }),
  remove: async (name) => {
    await caller.call('removeSchedule', { name });
  },
});

const GROUPS_AT_ONCE = 1000;

export const groupsOver = (caller: Caller): Groups => ({
  list: async () => {
    const groups: Group[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await caller.call('listGroups', { limit: GROUPS_AT_ONCE, after });
      groups.push(...page.groups);
      after = page.next;
    }
    return groups;
  },
  get: (name) => caller.call('getGroup', { name }),
  cancel: (name) => caller.call('cancelGroup', { name }),
  retry: (name) => caller.call('retryGroup', { name }),
  delete: async (name) => {
    await caller.call('deleteGroup', { name });
  },
});

export const queuesOver = (caller: Caller): NamedQueues => ({
  list: async () => (await caller.call('listQueues', {})).queues,
  get: (name) => caller.call('getQueue', { name }),
  limit: (name, limits) => caller.call('limitQueue', { name }, limits),
  pause: (name) => caller.call('pauseQueue', { name }),
  resume: (name) => caller.call('resumeQueue', { name }),
  drain: (name) => caller.call('drainQueue', { name }),
});

export const workersOver = (caller: Caller): Workers => ({
  list: async () => (await caller.call('listWorkers', {})).workers,
  stop: (id, { force = false } = {}) => caller.call('stopWorker', { id }, { force }),
});
