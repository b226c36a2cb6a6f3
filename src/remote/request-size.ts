// Limits the size of a request. Jobs that must be enqueued together have to fit into one.

import { QueueError } from '../errors/errors.ts';

/** Maximum body of `queuectl serve`; docs/reference/http-api.md documents it. */
export const BODY_BYTES = 8 * 1024 * 1024;

const MIB = 1024 * 1024;

/** Throws too_large_together. */
export function expectToFit(bytes: number, what: string, hint = WHERE_IT_FITS): void {
  if (bytes <= BODY_BYTES) return;
  const size = `${(bytes / MIB).toFixed(1)} MiB`;
  throw new QueueError('too_large_together', { what, size, most: `${BODY_BYTES / MIB} MiB`, hint });
}

const WHERE_IT_FITS = 'run the command on the server without --server, or put long values in a file there';
