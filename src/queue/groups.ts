// The groups of a queue, as commands and routes use them: looked at, changed as a whole, and what their end calls for.

import { QueueError } from '../errors/errors.ts';
import type { ChangedGroup, GroupChange, OnProgress } from './group-change.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import { checkedHooks } from '../job/input/input-hooks.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';
import type { JobControl } from './job-control.ts';
import { checkHookPolicy } from '../intake/setting-check.ts';
import type { GroupedJob, GroupRecord } from '../store/store.ts';
import type { Groups } from './interface.ts';

export class QueueGroups implements Groups {
  private readonly control: JobControl;
  private readonly who: Enqueuer | null;

  constructor(control: JobControl, who: Enqueuer | null) {
    this.control = control;
    this.who = who;
  }

  all(limit: number | null): Promise<GroupRecord[]> {
    return this.port.all(limit);
  }

  async get(name: string): Promise<GroupRecord> {
    const group = await this.port.get(name);
    if (!group) throw new QueueError('group_not_found', { name });
    return group;
  }

  /** The ids of its jobs in the order they came in; of more than `limit` those that people look for first. */
  jobsIn(name: string, limit: number): Promise<string[]> {
    return this.port.jobsIn(name, limit);
  }

  ofNewest(limit: number): Promise<GroupedJob[]> {
    return this.port.ofNewest(limit);
  }

  async change(name: string, change: GroupChange, onProgress: OnProgress): Promise<ChangedGroup> {
    const { changeGroup, forgetGroup } = await import('./group-change.ts');
    const changed = await changeGroup(this.control, name, change, onProgress);
    if (change === 'delete') await forgetGroup(this.control.store, name);
    return changed;
  }

  /** What the end of the whole group calls for. */
  hooks(name: string): Promise<Hooks> {
    return this.control.store.hooks.ofGroup(name);
  }

  /** Replaces what is there. Each is checked as `hooks` of a job is: invalid_job. false: there is no such group. */
  async setHooks(name: string, hooks: Readonly<Record<string, unknown>>): Promise<boolean> {
    const called = checkedHooks(hooks);
    await checkHookPolicy(this.control.store, called, this.who);
    return this.control.store.hooks.setForGroup(name, called);
  }

  private get port(): JobControl['store']['groups'] {
    return this.control.store.groups;
  }
}
