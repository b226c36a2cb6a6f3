// Who did what.

import { DEED_COLUMNS, deedOf, deedValues } from '../rows/access-rows.ts';
import type { ActivityLog } from '../store.ts';
import type { Connection } from './session/connection.ts';

export const activityOf = (connection: Connection): ActivityLog => ({
  record: (deed) =>
    connection.write(async (session) => {
      const { rows } = await session.sql(RECORD, deedValues(deed));
      session.provenBy('SELECT 1 FROM activity WHERE seq = $1 AND at = $2', [rows[0]?.seq, deed.at]);
    }),
  list: async (limit, before = Number.MAX_SAFE_INTEGER) =>
    (await connection.query(LIST, [before, limit])).rows.map(deedOf),
  forget: (keep) =>
    connection.write(async (session) => (await session.sql(FORGET, [keep])).count, { isRepeatable: true }),
});

const RECORD = `INSERT INTO activity (${DEED_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) RETURNING seq`;
const LIST = `SELECT seq, ${DEED_COLUMNS} FROM activity WHERE seq < $1 ORDER BY seq DESC LIMIT $2`;
const FORGET = 'DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - $1::bigint';
