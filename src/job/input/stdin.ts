// Reads the standard input of a job: a text in JSON, or the bytes of a file. Its size is limited, because the database
// stores it.

import { QueueError } from '../../errors/errors.ts';

export const STDIN_MAX_BYTES = 10 * 1024 * 1024;

export function stdinBytes(value: unknown, field: string): Uint8Array {
  const isKnown = typeof value === 'string' || value instanceof Uint8Array;
  if (!isKnown) {
    const problem = `'${field}' must be a text`;
    throw new QueueError('invalid_job', { problem, hint: 'use --stdin FILE for the content of a file' });
  }
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  if (bytes.length > STDIN_MAX_BYTES) throw stdinTooLarge();
  return bytes;
}

export const stdinTooLarge = (): QueueError => new QueueError('stdin_too_large', { most: STDIN_MAX_BYTES });
