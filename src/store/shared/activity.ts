// The log of actions: which user did what.

import type { ActivityLog } from '../port/activity.ts';
import { ACTIVITY_COLUMNS, entryOf, entryValues } from '../rows/access-rows.ts';
import { change, type Database, provenBy, rowsOf } from '../sql/database.ts';
import { insertInto, raw, sql } from '../sql/statement.ts';

export const activityOf = (database: Database): ActivityLog => ({
  record: (deed) =>
    database.write(function* () {
      const insert = insertInto('activity', ACTIVITY_COLUMNS, entryValues(deed));
      const [row] = yield* rowsOf(sql`${insert} RETURNING seq`);
      yield* provenBy(sql`SELECT 1 FROM activity WHERE seq = ${Number(row?.seq)} AND at = ${deed.at}`);
    }, {}),
  list: async (limit, before = Number.MAX_SAFE_INTEGER) => {
    const { dialect } = database;
    const older = sql`SELECT seq, ${raw(ACTIVITY_COLUMNS)} FROM activity WHERE seq < ${before}`;
    return (await database.rows(sql`${older} ORDER BY seq DESC ${dialect.limit(limit)}`)).map(entryOf);
  },
  forget: (keep) =>
    change(
      database,
      sql`DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ${database.dialect.integer(keep)}`,
    ),
});
