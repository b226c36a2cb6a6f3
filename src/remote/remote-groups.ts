// Groups and named queues, through a server.

import { QueueError } from '../errors/errors.ts';
import type { ChangedGroup, GroupChange, OnProgress } from '../queue/group-change.ts';
import { QueueGroups } from '../queue/groups.ts';
import type { Confinement } from '../job/isolation/isolation.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import type { Refusal } from '../job/isolation/refusals.ts';
import { EVERY_QUEUE, type QueueLimit, UNLIMITED } from '../job/flow/concurrency.ts';
import type * as data from '../library/data.ts';
import { named } from '../library/caller.ts';
import type { JobControl } from '../queue/job-control.ts';
import { NamedQueues, type QueueWish } from '../queue/named-queues.ts';
import type { GroupedJob, GroupRecord, Store } from '../store/store.ts';
import { rateText } from '../time/rate.ts';
import { groupFrom, queueFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { listOf } from './remote-jobs.ts';

const PAGE_SIZE = 1000;

export class RemoteGroups extends QueueGroups {
  private readonly caller: RemoteCaller;

  constructor(control: JobControl, caller: RemoteCaller) {
    super(control, null);
    this.caller = caller;
  }

  override async all(limit: number | null): Promise<GroupRecord[]> {
    const found: GroupRecord[] = [];
    const most = limit ?? Number.POSITIVE_INFINITY;
    for (let after: string | undefined; ; ) {
      const page: { groups: data.Group[]; next: string | null } = await this.caller.get('/groups', {
        limit: Math.min(most - found.length, PAGE_SIZE),
        after,
      });
      found.push(...page.groups.map(groupFrom));
      if (page.next === null || found.length >= most) return found;
      after = page.next;
    }
  }

  override async get(name: string): Promise<GroupRecord> {
    return groupFrom(await this.caller.get(pathOf(name)));
  }

  override async ofNewest(limit: number): Promise<GroupedJob[]> {
    const query = { sort: 'created', descending: true, limit: Math.min(limit, PAGE_SIZE) } as const;
    return (await listOf(this.caller, query)).map(({ id, group }) => ({ id, group }));
  }

  override async change(name: string, change: GroupChange, onProgress: OnProgress): Promise<ChangedGroup> {
    if (change === 'delete') return { jobs: await this.delete(name), refusals: [] };
    const { total, changed, refusals } = await this.caller.post<Changed>(`${pathOf(name)}/${change}`);
    onProgress(total, total);
    return { jobs: changed, refusals };
  }

  private async delete(name: string): Promise<number> {
    const { total } = await this.caller.get<data.Group>(pathOf(name));
    await this.caller.json('DELETE', pathOf(name));
    return total - (await this.caller.get<data.Group>(pathOf(name)).catch(ifGone)).total;
  }
}

interface Changed extends data.Group {
  readonly changed: number;
  readonly refusals: readonly Refusal[];
}

/** When none of its jobs is left, it is forgotten. */
function ifGone(error: unknown): { total: number } {
  if (error instanceof QueueError && error.code === 'group_not_found') return { total: 0 };
  throw error;
}

const pathOf = (name: string): string => `/groups/${named(name)}`;

export class RemoteQueues extends NamedQueues {
  private readonly caller: RemoteCaller;

  constructor(store: Store, caller: RemoteCaller) {
    super(store, null);
    this.caller = caller;
  }

  override async limits(): Promise<QueueLimit[]> {
    const { queues } = await this.caller.get<{ queues: data.NamedQueue[] }>('/queues');
    return queues.map(queueFrom);
  }

  override async pause(name: string): Promise<void> {
    await this.caller.post(`${pathTo(name)}/pause`);
  }

  override async resume(name: string): Promise<QueueLimit[]> {
    await this.caller.post(`${pathTo(name)}/resume`);
    const { all_paused, paused_queues } = await this.caller.get<data.Status>('/stats');
    return [...(all_paused ? [EVERY_QUEUE] : []), ...paused_queues].map((queue) => {
      return { ...UNLIMITED, queue, pausedAt: Date.now() };
    });
  }

  override async drain(name: string): Promise<void> {
    await this.caller.post(`${pathTo(name)}/drain`);
  }

  override async hooks(name: string): Promise<Hooks> {
    return (await this.caller.get<data.NamedQueue>(pathTo(name))).hooks;
  }

  override async confinement(name: string): Promise<Confinement> {
    return queueFrom(await this.caller.get(pathTo(name))).confinement;
  }

  override async set(name: string, { limit = {}, hooks, confinement }: QueueWish): Promise<void> {
    const { concurrency, ratePerSecond, burst } = limit;
    const rate = ratePerSecond == null ? ratePerSecond : rateText(ratePerSecond);
    const body = { concurrency, rate, burst, hooks, ...confinement };
    await this.caller.json('PATCH', pathTo(name), { body });
  }
}

const pathTo = (name: string): string => (name === EVERY_QUEUE ? '' : `/queues/${named(name)}`);
