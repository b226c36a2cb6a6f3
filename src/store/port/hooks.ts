// Hooks that belong to a queue or a group rather than to a job. Those of jobs come with them, those of all are settings.

import type { Hooks } from '../../job/flow/hooks.ts';

export interface HookStore {
  ofQueue(queue: string): Promise<Hooks>;
  /** Replaces what is there. They apply to every job of the queue that ends from now on. */
  setForQueue(queue: string, hooks: Hooks): Promise<void>;
  ofGroup(name: string): Promise<Hooks>;
  /** Replaces what is there. They apply when the whole group has ended. false: there is no such group. */
  setForGroup(name: string, hooks: Hooks): Promise<boolean>;
}
