// Exports of the package 'queuectl/client'.

import type { ConnectOptions, Queue } from './interface.ts';

export type * from './data.ts';
export type * from './interface.ts';

/**
 * Connects to a queue behind `queuectl serve`. Sends nothing yet: an unreachable server or invalid token shows with the
 * first request.
 */
export declare function connect(url: string, options?: ConnectOptions): Queue;

/** Whatever goes wrong; docs/reference/errors.md lists the codes. */
export declare class QueueError extends Error {
  readonly code: string;
  readonly hint: string | null;
  /** Exit code that the command line would use. */
  get exitCode(): number;
}
