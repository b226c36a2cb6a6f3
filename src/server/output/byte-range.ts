// Parses the Range header of a request for output. Multiple ranges are ignored, as HTTP allows.

import { QueueError } from '../../errors/errors.ts';

/** `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Returns null for the whole output. Throws range_not_satisfiable if the range is empty. */
export function rangeOf(header: string | null, size: number): ByteRange | null {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const range = first === '' ? lastBytes(Number(last), size) : between(Number(first), last, size);
  if (range === 'invalid') return null;
  if (size === 0 && first === '' && Number(last) > 0) return null; // a suffix of an empty output is the whole output
  if (range.from >= range.to) throw new QueueError('range_not_satisfiable', { size, range: header ?? '' });
  return range;
}

const lastBytes = (count: number, size: number): ByteRange => ({ from: Math.max(0, size - count), to: size });

function between(from: number, last: string, size: number): ByteRange | 'invalid' {
  if (last !== '' && Number(last) < from) return 'invalid';
  return { from, to: last === '' ? size : Math.min(Number(last) + 1, size) };
}
