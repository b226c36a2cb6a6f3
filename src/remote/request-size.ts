// How much one request to a server can have: what must go in all or none has to fit into it.

import { QueueError } from '../errors/errors.ts';

/** What queuectl serve takes in at a time; docs/reference/http-api.md has it. */
export const BODY_BYTES = 8 * 1024 * 1024;

const MIB = 1024 * 1024;

/** `what` has these bytes; else too_large_together. */
export function expectToFit(bytes: number, what: string, hint = WHERE_IT_FITS): void {
  if (bytes <= BODY_BYTES) return;
  const size = `${(bytes / MIB).toFixed(1)} MiB`;
  throw new QueueError('too_large_together', { what, size, most: `${BODY_BYTES / MIB} MiB`, hint });
}

const WHERE_IT_FITS = 'do it where the queue is, without --server, or put what is long in a file there';
