// The Range header of a request for output. Of several ranges the header is as good as absent, as HTTP allows.

import { QueueError } from '../../errors/errors.ts';

/** From byte `from` up to and without byte `to`. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** null: all of it. Else range_not_satisfiable, if there is nothing at all in it. */
export function rangeOf(header: string | null, size: number): ByteRange | null {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const range = first === '' ? lastBytes(Number(last), size) : between(Number(first), last, size);
  if (range === 'nonsense') return null;
  if (size === 0 && first === '' && Number(last) > 0) return null; // the last bytes of nothing are all of it
  if (range.from >= range.to) throw new QueueError('range_not_satisfiable', { size, range: header ?? '' });
  return range;
}

const lastBytes = (count: number, size: number): ByteRange => ({ from: Math.max(0, size - count), to: size });

function between(from: number, last: string, size: number): ByteRange | 'nonsense' {
  if (last !== '' && Number(last) < from) return 'nonsense';
  return { from, to: last === '' ? size : Math.min(Number(last) + 1, size) };
}
