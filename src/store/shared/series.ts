// Counts over time: tallies, folded into buckets. If a store has several writers, only one folds at a time, and the
// others do not wait.

import { type Bucket, type BucketKind, type Counted, fold, KEPT_MS, STEPS, spansOf } from '../../series/fold.ts';
import type { SeriesStore } from '../port/series.ts';
import type { Row } from '../rows/rows.ts';
import { change, type Database, REPEATABLE, rowsOf, run, type Steps } from '../sql/database.ts';
import type { Dialect } from '../sql/dialect.ts';
import { join, literal, orUpdate, raw, type Sql, sql } from '../sql/statement.ts';

const FOLD_AT_ONCE = 10_000;
const STORE_AT_ONCE = 5000;

export function seriesOf(database: Database): SeriesStore {
  const { dialect } = database;
  const read = (query: Sql, isLong = false): Promise<Bucket[]> =>
    database.read(() => current(dialect, query), { isLong });
  const has = async (query: Sql): Promise<boolean> => (await database.rows(sql`${query} LIMIT 1`)).length > 0;
  return {
    between: async (kind, queue, from, to) => {
      const isOfQueue = sql`kind = ${kind} AND queue = ${queue}`;
      const found = await read(
        sql`SELECT * FROM series WHERE ${isOfQueue} AND starts_at >= ${from} AND starts_at < ${to}`,
      );
      return found
        .filter((one) => one.kind === kind && one.queue === queue && one.at >= from && one.at < to)
        .sort((a, b) => a.at - b.at);
    },
    totals: async () =>
      (await read(sql`SELECT * FROM series WHERE kind = 'total'`)).filter(({ kind }) => kind === 'total'),
    // fold and prune check first, so that they take no lock and write nothing if there is nothing to do.
    fold: async () => {
      if (!(await has(sql`SELECT 1 FROM tallies`))) return 0;
      return (await database.writeExclusively('fold tallies', () => foldSome(dialect))) ?? 0;
    },
    prune: async (limit) => {
      const tooOld = isTooOld(database.now());
      if (!(await has(sql`SELECT 1 FROM series WHERE ${tooOld}`))) return 0;
      const some = sql`SELECT kind, queue, starts_at FROM series WHERE ${tooOld} ${dialect.limit(limit)}`;
      return change(database, sql`DELETE FROM series WHERE (kind, queue, starts_at) IN (${some})`);
    },
    all: () => read(sql`SELECT * FROM series`, true),
    replace: (buckets) =>
      database.write(
        function* () {
          yield* forget();
          yield* store(dialect, buckets);
        },
        { ...REPEATABLE, isLong: true },
      ),
  };
}

/** Deletes everything, in the same order in which folding locks the tables. */
export function* forget(): Steps<void> {
  yield* run(sql`DELETE FROM tallies`);
  yield* run(sql`DELETE FROM series`);
}

/** Folds some tallies within the caller's transaction. Returns their number. */
export function* foldSome(dialect: Dialect): Steps<number> {
  const rowId = raw(dialect.rowId);
  const some = sql`SELECT ${rowId} FROM tallies ${dialect.limit(FOLD_AT_ONCE)}`;
  const taken = sql`DELETE FROM tallies WHERE ${dialect.isFoundBy(dialect.rowId, some)}`;
  const counted = (yield* rowsOf(sql`${taken} RETURNING counted_at, queue, tally`)).map(countedOf);
  if (counted.length > 0) yield* store(dialect, yield* withStored(dialect, counted));
  return counted.length;
}

function* store(dialect: Dialect, buckets: readonly Bucket[]): Steps<void> {
  const columns = { kind: 'text', queue: 'text', starts_at: 'bigint', tally: 'text' } as const;
  const names = raw(Object.keys(columns).join(', '));
  for (let i = 0; i < buckets.length; i += STORE_AT_ONCE) {
    const given = dialect.given('given', columns, buckets.slice(i, i + STORE_AT_ONCE).map(cellsOf));
    const insert = sql`INSERT INTO series (${names}) SELECT ${names} FROM ${given} WHERE true`;
    yield* run(orUpdate(insert, 'kind, queue, starts_at', ['tally']));
  }
}

/** Returns the stored buckets that the counts belong to, with the counts added. */
function* withStored(dialect: Dialect, counted: readonly Counted[]): Steps<Bucket[]> {
  const spans = spansOf(counted).map(({ kind, at }) => [kind, at]);
  const given = dialect.given('span', { kind: 'text', at: 'bigint' }, spans);
  const stored = yield* rowsOf(sql`
    SELECT s.* FROM ${given} CROSS JOIN series s WHERE s.kind = span.kind AND s.starts_at = span.at`);
  return fold(stored.map(bucketOf), counted);
}

/** Returns the buckets of a query, including tallies that are not folded yet. */
function* current(dialect: Dialect, query: Sql): Steps<Bucket[]> {
  const stored = (yield* rowsOf(query)).map(bucketOf);
  const unfolded = yield* rowsOf(sql`SELECT counted_at, queue, tally FROM tallies`);
  const changed = yield* withStored(dialect, unfolded.map(countedOf));
  const keyOf = ({ kind, queue, at }: Bucket): string => `${kind} ${queue} ${at}`;
  return [...new Map([...stored, ...changed].map((bucket) => [keyOf(bucket), bucket])).values()];
}

const isTooOld = (now: Sql): Sql => {
  const isOld = STEPS.map(
    (step) => sql`(kind = ${raw(`'${step}'`)} AND starts_at < ${now} - ${literal(KEPT_MS[step])})`,
  );
  return sql`(${join(isOld, ' OR ')})`;
};

const bucketOf = (row: Row): Bucket => ({
  kind: row.kind as BucketKind,
  queue: String(row.queue),
  at: Number(row.starts_at),
  tally: JSON.parse(String(row.tally)),
});

const cellsOf = ({ kind, queue, at, tally }: Bucket) => [kind, queue, at, JSON.stringify(tally)];

const countedOf = (row: Row): Counted => ({
  at: Number(row.counted_at),
  queue: String(row.queue),
  tally: JSON.parse(String(row.tally)),
});
