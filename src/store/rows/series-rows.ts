// Between rows and buckets, alike in every store.

import { type Bucket, type BucketKind, type Counted, KEPT_MS, STEPS } from '../../series/fold.ts';
import type { Row } from './rows.ts';

export const FOLD_AT_ONCE = 10_000;

export const bucketOf = (row: Row): Bucket => ({
  kind: row.kind as BucketKind,
  queue: String(row.queue),
  at: Number(row.starts_at),
  tally: JSON.parse(String(row.tally)),
});

export const countedOf = (row: Row): Counted => ({
  at: Number(row.counted_at),
  queue: String(row.queue),
  tally: JSON.parse(String(row.tally)),
});

export type BucketCells = [kind: string, queue: string, at: number, tally: string];
export const bucketCells = ({ kind, queue, at, tally }: Bucket): BucketCells => [
  kind,
  queue,
  at,
  JSON.stringify(tally),
];

/** What is too old, as SQL: `now` is an expression. */
export const isTooOld = (now: string): string =>
  STEPS.map((step) => `(kind = '${step}' AND starts_at < ${now} - ${KEPT_MS[step]})`).join(' OR ');

/** Those of a query, oldest first. */
export const among = (
  buckets: readonly Bucket[],
  { kind, queue, from, to }: { kind: BucketKind; queue: string; from: number; to: number },
): Bucket[] =>
  buckets
    .filter((one) => one.kind === kind && one.queue === queue && one.at >= from && one.at < to)
    .sort((a, b) => a.at - b.at);
