// Reads the numbered lines of a file or of stdin.

import { createReadStream, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { QueueError } from '../../errors/errors.ts';
import { LineSplitter } from '../../text/line-splitter.ts';

export interface Line {
  readonly text: string;
  readonly number: number;
}

export interface InputLines {
  readonly lines: AsyncGenerator<Line>;
  /** The share of the input that was read, 0 to 1, or null if its size is unknown. */
  readonly progress: () => number | null;
}

export function openLines(path: string): InputLines {
  const size = path === '-' ? null : sizeOf(path);
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1 << 18 });
  stream.on('error', () => {}); // the reader receives it
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
  };
  return { lines: numberedLines(path, stream, count), progress: () => (size ? bytes / size : null) };
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) throw new Error('it is a directory');
    return stats.size;
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

export const unreadable = (path: string, problem: string): QueueError =>
  new QueueError('unreadable_input', { path, problem, hint: 'pass the path of a file, or - for stdin' });

/** Starts reading when the first line is requested. */
async function* numberedLines(
  path: string,
  stream: AsyncIterable<Buffer>,
  count: (chunk: Buffer) => void,
): AsyncGenerator<Line> {
  const [decoder, splitter] = [new StringDecoder('utf8'), new LineSplitter()];
  let number = 0;
  try {
    for await (const chunk of stream) {
      count(chunk);
      for (const text of splitter.add(decoder.write(chunk))) yield lineOf(text, ++number);
    }
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  for (const text of splitter.end(decoder.end())) yield lineOf(text, ++number);
}

const lineOf = (text: string, number: number): Line => ({
  text: number === 1 ? text.replace(/^\ufeff/, '') : text,
  number,
});

/** Skips blank lines. */
export async function* filled(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  for await (const line of lines) if (isFilled(line)) yield line;
}

export const isFilled = ({ text }: Line): boolean => text.trim() !== '';
