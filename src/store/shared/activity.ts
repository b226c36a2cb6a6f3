// The audit log.

import type { ActivityEntry, ActivityLog, RecordedActivity } from '../port/activity.ts';
import { columnsFor } from '../rows/columns.ts';
import type { Row } from '../rows/rows.ts';
import { change, type Database, provenBy, rowsOf } from '../sql/database.ts';
import { insertInto, raw, sql } from '../sql/statement.ts';

type Stored = Omit<ActivityEntry, 'detail'> & { readonly detail: string | null };
const ENTRY = columnsFor<Stored>('at', 'actor', 'via', 'action', 'target', 'detail');

const entryOf = (row: Row): RecordedActivity => ({
  ...ENTRY.recordOf(row),
  seq: Number(row.seq),
  detail: row.detail === null ? null : JSON.parse(String(row.detail)),
});

export const activityOf = (database: Database): ActivityLog => ({
  record: (entry) =>
    database.write(function* () {
      const stored = { ...entry, detail: entry.detail && JSON.stringify(entry.detail) };
      const insert = insertInto('activity', ENTRY.list, ENTRY.valuesOf(stored));
      const [row] = yield* rowsOf(sql`${insert} RETURNING seq`);
      yield* provenBy(sql`SELECT 1 FROM activity WHERE seq = ${Number(row?.seq)} AND at = ${entry.at}`);
    }, {}),
  list: async (limit, before = Number.MAX_SAFE_INTEGER) => {
    const { dialect } = database;
    const older = sql`SELECT seq, ${raw(ENTRY.list)} FROM activity WHERE seq < ${before}`;
    return (await database.rows(sql`${older} ORDER BY seq DESC ${dialect.limit(limit)}`)).map(entryOf);
  },
  forget: (keep) =>
    change(
      database,
      sql`DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ${database.dialect.integer(keep)}`,
    ),
});
