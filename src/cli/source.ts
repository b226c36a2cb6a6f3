// Many jobs from a file or stdin, as JSON, NDJSON or a command a line. Large input streams.

import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { QueueError } from '../errors.ts';
import { jobsInJson } from './json-argument.ts';

/** One job as it was written, and where: the line, or the element of a list, counted from 1. */
export interface Written {
  readonly raw: unknown;
  readonly unit: 'line' | 'job';
  readonly number: number;
}

export interface Source {
  readonly jobs: AsyncIterable<Written>;
  /** Share of the input that was read, 0 to 1; null when its size is not known. */
  readonly progress: () => number | null;
}

/** Jobs from a file, or from stdin for '-'. */
export function openSource(path: string, lines: boolean): Source {
  const size = path === '-' ? null : sizeOf(path);
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1 << 18 });
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
  };
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (error) => reject(unreadable(path, error.message)));
  });
  failed.catch(() => {});
  const numbered = numberedLines(stream, count, failed);
  return { jobs: lines ? commands(numbered) : json(numbered), progress: () => (size ? bytes / size : null) };
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) throw new Error('it is a folder');
    return stats.size;
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

const unreadable = (path: string, problem: string): QueueError =>
  new QueueError('unreadable_input', { path, problem, hint: 'give the path of a file, or - for stdin' });

interface Line {
  readonly text: string;
  readonly number: number;
}

/** A stream that has a listener flows: so nobody listens before somebody asks for the first line. */
async function* numberedLines(
  stream: NodeJS.ReadableStream,
  count: (chunk: Buffer) => void,
  failed: Promise<never>,
): AsyncGenerator<Line> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]();
  stream.on('data', count);
  for (let number = 1; ; number++) {
    const { done, value } = await Promise.race([lines.next(), failed]);
    if (done) return;
    if (value.trim() !== '') yield { text: number === 1 ? value.replace(/^\ufeff/, '') : value, number };
  }
}

async function* commands(lines: AsyncIterable<Line>): AsyncGenerator<Written> {
  for await (const { text, number } of lines) yield { raw: { command: text }, unit: 'line', number };
}

/** NDJSON when the first line is a whole object, else one JSON text over all lines. */
async function* json(lines: AsyncGenerator<Line>): AsyncGenerator<Written> {
  const first = await lines.next();
  if (first.done) return;
  if (!first.value.text.trimStart().startsWith('[') && isJson(first.value.text)) {
    yield { raw: JSON.parse(first.value.text), unit: 'line', number: first.value.number };
    for await (const line of lines) yield { raw: parseLine(line), unit: 'line', number: line.number };
    return;
  }
  yield* wholeText(first.value, lines);
}

async function* wholeText(first: Line, rest: AsyncIterable<Line>): AsyncGenerator<Written> {
  const texts = [first.text];
  for await (const { text } of rest) texts.push(text);
  const isNdjson = texts.length > 1 && texts.slice(1).every((text) => text.startsWith('{'));
  if (isNdjson) parseLine(first); // its first line is the bad one: say so
  const jobs = jobsInJson(texts.join('\n'));
  for (const [index, raw] of jobs.entries()) yield { raw, unit: 'job', number: index + 1 };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseLine({ text, number }: Line): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = `not valid JSON: ${(error as Error).message}`;
    throw new QueueError('invalid_input', {
      where: `line ${number}`,
      problem,
      hint: 'one JSON object a line',
    });
  }
}
