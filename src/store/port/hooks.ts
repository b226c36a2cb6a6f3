// Hooks of queues and groups. Hooks of a job are stored with the job, and global hooks are settings.

import type { Hooks } from '../../job/flow/hooks.ts';

export interface HookStore {
  ofQueue(queue: string): Promise<Hooks>;
  /** Replaces the queue's hooks. They apply to all jobs of the queue that finish from now on. */
  setForQueue(queue: string, hooks: Hooks): Promise<void>;
  ofGroup(name: string): Promise<Hooks>;
  /**
   * Replaces the group's hooks. They apply when the whole group has finished. Returns false if there is no such group.
   */
  setForGroup(name: string, hooks: Hooks): Promise<boolean>;
}
