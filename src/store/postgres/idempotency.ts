// Requests by the keys that clients gave them.

import { knownOf } from '../rows/access-rows.ts';
import type { Idempotency } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';

const REPEATABLE = { isRepeatable: true };

export function idempotencyOf(connection: Connection): Idempotency {
  const change = (text: string, values: readonly unknown[]): Promise<number> =>
    connection.write(async (session) => (await session.sql(text, values)).count, REPEATABLE);
  return {
    begin: (request, abandonedBefore) =>
      connection.write(async (session) => {
        const { principal, key, requestHash, createdAt } = request;
        const begin = [principal, key, requestHash, createdAt, abandonedBefore];
        const { count } = await session.sql(BEGIN, begin);
        if (count === 0) return known(session, principal, key);
        session.provenBy(IS_BEGUN, begin.slice(0, 4));
        return null;
      }),
    finish: async ({ principal, key }, response) => {
      await change(FINISH, [principal, key, response]);
    },
    abandon: async ({ principal, key }) => {
      await change(ABANDON, [principal, key]);
    },
    forget: (begunBefore) => change('DELETE FROM idempotency_keys WHERE created_at < $1', [begunBefore]),
  };
}

async function known(session: Session, principal: string, key: string) {
  const { rows } = await session.sql(FIND, [principal, key]);
  return rows[0] ? knownOf(rows[0]) : null;
}

/** If two begin at once, the second waits here for the first to commit. */
const BEGIN = `
  INSERT INTO idempotency_keys AS k (principal, key, request_hash, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (principal, key) DO UPDATE SET request_hash = excluded.request_hash, created_at = excluded.created_at
    WHERE k.response IS NULL AND k.created_at < $5`;
const IS_BEGUN = `
  SELECT 1 FROM idempotency_keys WHERE principal = $1 AND key = $2 AND request_hash = $3 AND created_at = $4`;
const FIND = 'SELECT request_hash, response FROM idempotency_keys WHERE principal = $1 AND key = $2';
const FINISH = 'UPDATE idempotency_keys SET response = $3 WHERE principal = $1 AND key = $2';
const ABANDON = 'DELETE FROM idempotency_keys WHERE principal = $1 AND key = $2 AND response IS NULL';
