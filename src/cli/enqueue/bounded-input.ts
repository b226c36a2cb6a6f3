// Reads a file or stdin, up to a limit.

import { createReadStream } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';

/** Returns null if the input is larger than the limit. `path` '-' is stdin. */
export async function readBounded(path: string, mostBytes: number): Promise<Buffer | null> {
  const stream = path === '-' ? process.stdin : createReadStream(path);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) return null; // the loop closes the stream
    }
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  return Buffer.concat(chunks);
}

const unreadable = (path: string, problem: string): QueueError =>
  new QueueError('unreadable_input', { path, problem, hint: 'pass the path of a file, or - for stdin' });
