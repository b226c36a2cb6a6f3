// Settings of named queues: paused, draining and limits.

import type { QueueLimit } from '../../job/flow/concurrency.ts';

export type { QueueLimit } from '../../job/flow/concurrency.ts';

export interface Queues {
  /** Returns the limits of queues that have any. EVERY_QUEUE stands for all queues. */
  limits(): Promise<QueueLimit[]>;
  /** Returns the names of queues that accept no new jobs. */
  draining(): Promise<string[]>;
  /** Changes the given limits and keeps the others. Returns the result. */
  limit(queue: string, change: QueueChange): Promise<QueueLimit>;
}

export type QueueChange = Partial<Omit<QueueLimit, 'queue' | 'notBefore'>>;
