// Who did what.

import { DEED_COLUMNS, deedOf, deedValues } from '../rows/access-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { ActivityLog } from '../store.ts';
import type { Connection } from './connection.ts';

export const activityOf = (connection: Connection): ActivityLog => ({
  record: (deed) =>
    connection.write(() => {
      connection.sql(RECORD).run(...deedValues(deed));
    }),
  list: (limit, before = Number.MAX_SAFE_INTEGER) =>
    connection.read(() => (connection.sql(LIST).all(before, limit) as Row[]).map(deedOf)),
  forget: (keep) => connection.write(() => Number(connection.sql(FORGET).run(keep).changes)),
});

const RECORD = `INSERT INTO activity (${DEED_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;
const LIST = `SELECT seq, ${DEED_COLUMNS} FROM activity WHERE seq < ? ORDER BY seq DESC LIMIT ?`;
const FORGET = 'DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ?';
