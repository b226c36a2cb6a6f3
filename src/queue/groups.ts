// Group operations for commands and routes: reading and bulk changes.

import { QueueError } from '../errors/errors.ts';
import type { ChangedGroup, GroupChange, OnProgress } from './group-change.ts';
import type { JobControl } from './job-control.ts';
import type { GroupedJob, GroupRecord } from '../store/store.ts';
import type { Groups } from './interface.ts';

export class QueueGroups implements Groups {
  private readonly control: JobControl;

  constructor(control: JobControl) {
    this.control = control;
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
    const { changeGroup } = await import('./group-change.ts');
    const changed = await changeGroup(this.control, name, change, onProgress);
    if (change === 'delete') await this.port.removeIfEmpty(name); // at once, without waiting for a worker's maintenance
    return changed;
  }

  private get port(): JobControl['store']['groups'] {
    return this.control.store.groups;
  }
}
