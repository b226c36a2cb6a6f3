// What the package 'queuectl/client' exports.

import type { ConnectOptions, Queue } from './interface.ts';

export type * from './data.ts';
export type * from './interface.ts';

/**
 * A queue behind `queuectl serve`, by its address. Nothing is sent yet: whether the server is there, and lets this token
 * in, shows with the first request.
 */
export declare function connect(url: string, options?: ConnectOptions): Queue;

/** Whatever goes wrong; docs/errors.md lists the codes. */
export declare class QueueError extends Error {
  readonly code: string;
  readonly hint: string | null;
  /** What the command line would exit with. */
  get exitCode(): number;
}
