// Words chosen by users, read by skipping along an index from one word to the next, so that the cost grows with the
// number of words, not of jobs.

import { READINESS } from '../../job/readiness.ts';
import type { Words } from '../port/words.ts';
import { gateParts } from '../rows/limit-rows.ts';
import { type Database, runAll } from '../sql/database.ts';
import { raw, type Sql, sql } from '../sql/statement.ts';

export function wordsOf(database: Database): Words {
  const distinct = (column: string, condition: string, limit: number): Sql => {
    const from = sql`SELECT ${raw(column)} FROM jobs WHERE ${raw(condition)}`;
    const first = sql`ORDER BY ${raw(column)} LIMIT 1`;
    return sql`
      WITH RECURSIVE found (word) AS (
        SELECT * FROM (${from} ${first}) first_one
        UNION ALL
        SELECT (${from} AND ${raw(column)} > found.word ${first}) FROM found WHERE found.word IS NOT NULL)
      SELECT word FROM found WHERE word IS NOT NULL ${database.dialect.limit(limit)}`;
  };
  const wordsBy = (queries: readonly Sql[]): Promise<string[][]> =>
    database.read(function* () {
      return (yield* runAll(queries)).map(({ rows }) => rows.map(({ word }) => String(word)));
    });
  return {
    names: async (limit) => (await wordsBy([distinct('name', 'name IS NOT NULL', limit)])).flat(),
    keys: async (limit) => {
      const [ready = [], running = [], gates = []] = await wordsBy([
        distinct('key', `ready = ${READINESS.ready} AND key IS NOT NULL`, limit),
        distinct('key', 'locked_by IS NOT NULL AND key IS NOT NULL', limit),
        distinct('waits_at', `ready = ${READINESS.atGate} AND waits_at > 'key:' AND waits_at < 'key;'`, limit),
      ]);
      const waiting = gates.map((gate) => gateParts(gate).value);
      return [...new Set([...ready, ...running, ...waiting])].sort().slice(0, limit);
    },
  };
}
