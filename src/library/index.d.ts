// Exports of the package 'queuectl'.

import type { LocalQueue, OpenOptions } from './interface.ts';

export type * from './data.ts';
export type * from './interface.ts';
export { QueueError } from './client.d.ts';

/** Opens a queue in a file or a PostgreSQL database. Creates a missing file. */
export declare function openQueue(options?: OpenOptions): Promise<LocalQueue>;
