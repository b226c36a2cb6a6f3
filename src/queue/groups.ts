// Group operations for commands and routes: reading, bulk changes, and hooks.

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

  /** Returns job IDs in the order of enqueueing. Beyond `limit`, keeps the jobs of most interest. */
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

  /** Hooks that run when the whole group finishes. */
  hooks(name: string): Promise<Hooks> {
    return this.control.store.hooks.ofGroup(name);
  }

  /**
   * Replaces all hooks of the group. Throws invalid_job if one is invalid. Returns false if the group does not exist.
   */
  async setHooks(name: string, hooks: Readonly<Record<string, unknown>>): Promise<boolean> {
    const called = checkedHooks(hooks);
    await checkHookPolicy(this.control.store, called, this.who);
    return this.control.store.hooks.setForGroup(name, called);
  }

  private get port(): JobControl['store']['groups'] {
    return this.control.store.groups;
  }
}
