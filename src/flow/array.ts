// Job arrays: the same command for each index. '0-99%4' means the indexes 0 to 99, four at a time.

import { QueueError } from '../errors/errors.ts';

export const LARGEST_ARRAY = 1_000_000;

interface Range {
  readonly first: number;
  readonly last: number;
}

export interface JobArray {
  readonly ranges: readonly Range[];
  readonly size: number;
  /** Maximum number of running jobs; null for unlimited. */
  readonly concurrency: number | null;
}

export function parseArray(text: string): JobArray {
  const [list = '', limit, ...rest] = text.split('%');
  if (rest.length > 0) throw wrongArray(text, "has more than one '%'");
  const ranges = list.split(',').map((part) => rangeOf(part, text));
  checkOverlap(ranges, text);
  const size = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (size > LARGEST_ARRAY) throw wrongArray(text, `has ${size} indexes; the maximum is ${LARGEST_ARRAY}`);
  return { ranges, size, concurrency: limit === undefined ? null : concurrencyOf(limit, text) };
}

export function* indexesOf({ ranges }: JobArray): Generator<number> {
  for (const { first, last } of ranges) for (let index = first; index <= last; index++) yield index;
}

function rangeOf(part: string, text: string): Range {
  const [, first, last] = /^\s*(\d{1,12})(?:-(\d{1,12}))?\s*$/.exec(part) ?? [];
  if (first === undefined) throw wrongArray(text, `has '${part.trim()}' instead of an index or a range`);
  const range = { first: Number(first), last: Number(last ?? first) };
  if (range.last < range.first) throw wrongArray(text, `has the empty range ${part.trim()}`);
  return range;
}

function checkOverlap(ranges: readonly Range[], text: string): void {
  const sorted = ranges.toSorted((a, b) => a.first - b.first);
  const twice = sorted.find(({ first }, i) => i > 0 && first <= (sorted[i - 1]?.last ?? -1));
  if (twice) throw wrongArray(text, `has the index ${twice.first} twice`);
}

function concurrencyOf(limit: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw wrongArray(text, `has '%${limit}'; the limit must be 1 or more`);
}

const wrongArray = (text: string, problem: string): QueueError =>
  new QueueError('usage', {
    problem: `--array ${text} ${problem}`,
    hint: 'try 0-99, 1,3,7-9, or 0-99%4 to run four at a time',
  });
