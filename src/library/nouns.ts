// Schedules, groups, named queues and workers, over the HTTP API.

import { type Caller, named } from './caller.ts';
import type { Group, Job, NamedQueue, Schedule, Worker } from './data.ts';
import type { Groups, NamedQueues, Schedules, Workers } from './interface.ts';

export function schedulesOver(caller: Caller): Schedules {
  const at = (name: string): string => `/schedules/${named(name)}`;
  return {
    add: (schedule) => caller.post('/schedules', schedule),
    list: async () => (await caller.get<{ schedules: Schedule[] }>('/schedules')).schedules,
    get: (name) => caller.get(at(name)),
    edit: (name, body) => caller.json('PATCH', at(name), { body }),
    pause: (name) => caller.post(`${at(name)}/pause`),
    resume: (name) => caller.post(`${at(name)}/resume`),
    run: (name) => caller.post<Job>(`${at(name)}/run`),
    remove: async (name) => {
      await caller.json('DELETE', at(name));
    },
  };
}

const GROUPS_AT_ONCE = 1000;

export function groupsOver(caller: Caller): Groups {
  const at = (name: string): string => `/groups/${named(name)}`;
  return {
    list: async () => {
      const groups: Group[] = [];
      for (let after: string | undefined; ; ) {
        const page = await caller.get<{ groups: Group[]; next: string | null }>('/groups', {
          limit: GROUPS_AT_ONCE,
          after,
        });
        groups.push(...page.groups);
        if (page.next === null) return groups;
        after = page.next;
      }
    },
    get: (name) => caller.get(at(name)),
    cancel: (name) => caller.post(`${at(name)}/cancel`),
    retry: (name) => caller.post(`${at(name)}/retry`),
    delete: async (name) => {
      await caller.json('DELETE', at(name));
    },
  };
}

export function queuesOver(caller: Caller): NamedQueues {
  const at = (name: string): string => `/queues/${named(name)}`;
  return {
    list: async () => (await caller.get<{ queues: NamedQueue[] }>('/queues')).queues,
    get: (name) => caller.get(at(name)),
    limit: (name, body) => caller.json('PATCH', at(name), { body }),
    pause: (name) => caller.post(`${at(name)}/pause`),
    resume: (name) => caller.post(`${at(name)}/resume`),
    drain: (name) => caller.post(`${at(name)}/drain`),
  };
}

export const workersOver = (caller: Caller): Workers => ({
  list: async () => (await caller.get<{ workers: Worker[] }>('/workers')).workers,
  stop: (id, { force = false } = {}) => caller.post(`/workers/${named(id)}/stop`, { force }),
});
