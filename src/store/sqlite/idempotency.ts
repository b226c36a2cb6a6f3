// Requests by the keys that clients gave them.

import { knownOf } from '../rows/access-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { Idempotency } from '../store.ts';
import type { Connection } from './connection.ts';

export const idempotencyOf = (connection: Connection): Idempotency => ({
  begin: ({ principal, key, requestHash, createdAt }, abandonedBefore) =>
    connection.write(() => {
      connection.sql(FREE).run(principal, key, abandonedBefore);
      const known = connection.sql(FIND).get(principal, key) as Row | undefined;
      if (known) return knownOf(known);
      connection.sql(BEGIN).run(principal, key, requestHash, createdAt);
      return null;
    }),
  finish: ({ principal, key }, response) =>
    connection.write(() => {
      connection.sql(FINISH).run(response, principal, key);
    }),
  abandon: ({ principal, key }) =>
    connection.write(() => {
      connection.sql(ABANDON).run(principal, key);
    }),
  forget: (begunBefore) => connection.write(() => Number(connection.sql(FORGET).run(begunBefore).changes)),
});

const OPEN = 'principal = ? AND key = ? AND response IS NULL';
const FREE = `DELETE FROM idempotency_keys WHERE ${OPEN} AND created_at < ?`;
const FIND = 'SELECT request_hash, response FROM idempotency_keys WHERE principal = ? AND key = ?';
const BEGIN = 'INSERT INTO idempotency_keys (principal, key, request_hash, created_at) VALUES (?, ?, ?, ?)';
const FINISH = 'UPDATE idempotency_keys SET response = ? WHERE principal = ? AND key = ?';
const ABANDON = `DELETE FROM idempotency_keys WHERE ${OPEN}`;
const FORGET = 'DELETE FROM idempotency_keys WHERE created_at < ?';
