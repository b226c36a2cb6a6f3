// The settings of named queues: whether they are paused, and how much of them may run.

import type { QueueLimit } from '../../job/flow/concurrency.ts';

export type { QueueLimit } from '../../job/flow/concurrency.ts';

export interface Queues {
  /** Of queues that have any; EVERY_QUEUE stands for all of them. */
  limits(): Promise<QueueLimit[]>;
  /** The names of those that take no more jobs. */
  draining(): Promise<string[]>;
  /** What is not given stays as it is. Returns what holds from now on. */
  limit(queue: string, change: QueueChange): Promise<QueueLimit>;
}

export type QueueChange = Partial<Omit<QueueLimit, 'queue' | 'notBefore'>>;
