// What the queue has done over time: the list of tallies, folded into buckets.

import { type Bucket, type Counted, fold, spansOf } from '../../series/fold.ts';
import type { Row } from '../rows/rows.ts';
import { among, bucketCells, bucketOf, countedOf, FOLD_AT_ONCE, isTooOld } from '../rows/series-rows.ts';
import type { SeriesStore } from '../store.ts';
import type { Connection } from './connection.ts';

const SOME_TALLIES = `SELECT number, counted_at, queue, tally FROM tallies ORDER BY number LIMIT ${FOLD_AT_ONCE}`;
const STORED = `
  SELECT s.* FROM json_each(?) span
  CROSS JOIN series s ON s.kind = span.value ->> 'kind' AND s.starts_at = span.value ->> 'at'`;
const STORE = 'INSERT OR REPLACE INTO series (kind, queue, starts_at, tally) VALUES (?, ?, ?, ?)';

/** The oldest of what is not folded yet. */
export function foldSome(connection: Connection): number {
  const rows = connection.sql(SOME_TALLIES).all() as Row[];
  if (rows.length === 0) return 0;
  store(connection, withStored(connection, rows.map(countedOf)));
  connection.sql('DELETE FROM tallies WHERE number <= ?').run(Number(rows.at(-1)?.number));
  return rows.length;
}

function withStored(connection: Connection, counted: readonly Counted[]): Bucket[] {
  const stored = connection.sql(STORED).all(JSON.stringify(spansOf(counted))) as Row[];
  return fold(stored.map(bucketOf), counted);
}

function store(connection: Connection, buckets: readonly Bucket[]): void {
  for (const bucket of buckets) connection.sql(STORE).run(...bucketCells(bucket));
}

const unfolded = (connection: Connection): Counted[] =>
  (connection.sql('SELECT counted_at, queue, tally FROM tallies').all() as Row[]).map(countedOf);

/** With what is not folded yet. */
function current(connection: Connection, stored: readonly Bucket[]): Bucket[] {
  const changed = withStored(connection, unfolded(connection));
  const keyOf = ({ kind, queue, at }: Bucket): string => `${kind} ${queue} ${at}`;
  return [...new Map([...stored, ...changed].map((bucket) => [keyOf(bucket), bucket])).values()];
}

const BETWEEN = 'SELECT * FROM series WHERE kind = ? AND queue = ? AND starts_at >= ? AND starts_at < ?';
/** Asked first: if there is nothing to do, no lock is taken. */
const ANY_TALLY = 'SELECT 1 FROM tallies LIMIT 1';
const ANY_TOO_OLD = `SELECT 1 FROM series WHERE ${isTooOld('$now')} LIMIT 1`;
const PRUNE = `
  DELETE FROM series WHERE (kind, queue, starts_at) IN (
    SELECT kind, queue, starts_at FROM series WHERE ${isTooOld('$now')} LIMIT 0 + $limit)`;

export function seriesOf(connection: Connection, clock: () => number): SeriesStore {
  const read = (sql: string, ...values: (string | number)[]): Bucket[] =>
    current(connection, (connection.sql(sql).all(...values) as Row[]).map(bucketOf));
  const has = (sql: string, values: Record<string, number> = {}): Promise<boolean> =>
    connection.read(() => connection.sql(sql).get(values) !== undefined);
  return {
    between: (kind, queue, from, to) =>
      connection.read(() => among(read(BETWEEN, kind, queue, from, to), { kind, queue, from, to })),
    totals: () => connection.read(() => read("SELECT * FROM series WHERE kind = 'total'").filter(isTotal)),
    fold: async () => ((await has(ANY_TALLY)) ? connection.write(() => foldSome(connection)) : 0),
    prune: async (limit) =>
      (await has(ANY_TOO_OLD, { $now: clock() }))
        ? connection.write(() => Number(connection.sql(PRUNE).run({ $now: clock(), $limit: limit }).changes))
        : 0,
    all: () => connection.read(() => read('SELECT * FROM series')),
    replace: (buckets) =>
      connection.write(() => {
        forget(connection);
        store(connection, buckets);
      }),
  };
}

const isTotal = ({ kind }: Bucket): boolean => kind === 'total';

export function forget(connection: Connection): void {
  connection.sql('DELETE FROM tallies').run();
  connection.sql('DELETE FROM series').run();
}
