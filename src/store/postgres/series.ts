// What the queue has done over time: the list of tallies, folded into buckets. Folding takes a lock that nobody
// else waits for.

import { type Bucket, type Counted, fold, spansOf } from '../../series/fold.ts';
import { among, bucketCells, bucketOf, countedOf, FOLD_AT_ONCE, isTooOld } from '../rows/series-rows.ts';
import type { SeriesStore } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { mayNotWrite } from './session/failures.ts';
import { lockOf } from './session/names.ts';
import { columnsOf, now } from './rows.ts';

const TAKE = `
  DELETE FROM tallies WHERE ctid = ANY(ARRAY(SELECT ctid FROM tallies LIMIT ${FOLD_AT_ONCE}))
  RETURNING counted_at, queue, tally`;
const STORED = `
  SELECT s.* FROM unnest($1::text[], $2::bigint[]) AS span (kind, starts_at)
  JOIN series s ON s.kind = span.kind COLLATE "C" AND s.starts_at = span.starts_at`;
const STORE = `
  INSERT INTO series (kind, queue, starts_at, tally)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
  ON CONFLICT (kind, queue, starts_at) DO UPDATE SET tally = excluded.tally`;

/** A role that may only read leaves them as they are. */
async function foldSome(connection: Connection): Promise<number> {
  try {
    return await connection.write(
      async (session) => {
        if (!(await isAlone(connection, session))) return 0;
        const counted = (await session.sql(TAKE)).rows.map(countedOf);
        if (counted.length > 0) await store(session, await withStored(session, counted));
        return counted.length;
      },
      { isRepeatable: true },
    );
  } catch (error) {
    if (mayNotWrite(error)) return 0;
    throw error;
  }
}

async function isAlone(connection: Connection, session: Session): Promise<boolean> {
  const lock = lockOf(connection.target.schema, 'fold tallies');
  const { rows } = await session.sql('SELECT pg_try_advisory_xact_lock($1, $2) AS got', lock);
  return Boolean(rows[0]?.got);
}

async function withStored(session: Session, counted: readonly Counted[]): Promise<Bucket[]> {
  const spans = spansOf(counted).map(({ kind, at }) => [kind, at]);
  const { rows } = await session.sql(STORED, columnsOf(spans, 2));
  return fold(rows.map(bucketOf), counted);
}

const STORE_AT_ONCE = 5000;

async function store(session: Session, buckets: readonly Bucket[]): Promise<void> {
  for (let i = 0; i < buckets.length; i += STORE_AT_ONCE)
    await session.sql(STORE, columnsOf(buckets.slice(i, i + STORE_AT_ONCE).map(bucketCells), 4));
}

/** With what is not folded yet. */
async function current(session: Session, stored: readonly Bucket[]): Promise<Bucket[]> {
  const { rows } = await session.sql('SELECT counted_at, queue, tally FROM tallies');
  const changed = await withStored(session, rows.map(countedOf));
  const keyOf = ({ kind, queue, at }: Bucket): string => `${kind} ${queue} ${at}`;
  return [...new Map([...stored, ...changed].map((bucket) => [keyOf(bucket), bucket])).values()];
}

const BETWEEN = 'SELECT * FROM series WHERE kind = $1 AND queue = $2 AND starts_at >= $3 AND starts_at < $4';
const TOTALS = "SELECT * FROM series WHERE kind = 'total'";
/** Asked first: if there is nothing to do, nothing is written. */
const ANY_TALLY = 'SELECT 1 FROM tallies LIMIT 1';
const ANY_TOO_OLD = `SELECT 1 FROM series WHERE ${isTooOld(now('$1'))} LIMIT 1`;
const PRUNE = `
  DELETE FROM series WHERE ctid = ANY(ARRAY(SELECT ctid FROM series WHERE ${isTooOld(now('$1'))} LIMIT $2))`;

export function seriesOf(connection: Connection): SeriesStore {
  const read = (sql: string, values: readonly unknown[], withinMs?: number): Promise<Bucket[]> =>
    connection.read(
      async (session) => current(session, (await session.sql(sql, values)).rows.map(bucketOf)),
      withinMs,
    );
  const has = async (sql: string, values: readonly unknown[]): Promise<boolean> =>
    (await connection.query(sql, values)).rows.length > 0;
  return {
    between: async (kind, queue, from, to) =>
      among(await read(BETWEEN, [kind, queue, from, to]), { kind, queue, from, to }),
    totals: async () => (await read(TOTALS, [])).filter(({ kind }) => kind === 'total'),
    fold: async () => ((await has(ANY_TALLY, [])) ? foldSome(connection) : 0),
    prune: async (limit) => ((await has(ANY_TOO_OLD, [connection.givenNow])) ? prune(connection, limit) : 0),
    all: () => read('SELECT * FROM series', [], LONG_MS),
    replace: (buckets) =>
      connection.write(
        async (session) => {
          for (const table of SERIES_TABLES) await session.sql(`DELETE FROM ${table}`);
          await store(session, buckets);
        },
        { withinMs: LONG_MS, isRepeatable: true },
      ),
  };
}

const prune = async (connection: Connection, limit: number): Promise<number> =>
  connection.write(async (session) => (await session.sql(PRUNE, [connection.givenNow, limit])).count, {
    isRepeatable: true,
  });

/** In the order in which folding takes its locks. */
export const SERIES_TABLES = ['tallies', 'series'] as const;
