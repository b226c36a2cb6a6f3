// What the package 'queuectl' exports.

import type { LocalQueue, OpenOptions } from './interface.ts';

export type * from './data.ts';
export type * from './interface.ts';
export { QueueError } from './client.d.ts';

/** Opens a queue in a file or a PostgreSQL database; a file is made if there is none. */
export declare function openQueue(options?: OpenOptions): Promise<LocalQueue>;
