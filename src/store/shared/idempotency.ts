// Requests by idempotency key.

import type { Idempotency, KnownRequest } from '../port/idempotency.ts';
import { columnsFor } from '../rows/columns.ts';
import { change, type Database, provenBy, rowsOf, run } from '../sql/database.ts';
import { insertInto, raw, type Sql, sql, unlessPresent } from '../sql/statement.ts';

const TABLE = raw('idempotency_keys');
const KNOWN = columnsFor<KnownRequest>('requestHash', 'response');
const COLUMNS = 'principal, key, request_hash, created_at';

export const idempotencyOf = (database: Database): Idempotency => ({
  begin: (request, abandonedBefore) =>
    database.write(function* () {
      const { principal, key, requestHash, createdAt } = request;
      yield* run(sql`DELETE FROM ${TABLE} WHERE ${isOpen(request)} AND created_at < ${abandonedBefore}`);
      // If two requests begin at the same time, the second one waits here until the first has committed.
      const insert = insertInto('idempotency_keys', COLUMNS, [principal, key, requestHash, createdAt]);
      const { count } = yield* run(unlessPresent(insert));
      const begun = sql`FROM ${TABLE} WHERE ${isKey(request)}`;
      if (count === 0) return (yield* rowsOf(sql`SELECT ${raw(KNOWN.list)} ${begun}`)).map(KNOWN.recordOf)[0] ?? null;
      yield* provenBy(sql`SELECT 1 ${begun} AND request_hash = ${requestHash} AND created_at = ${createdAt}`);
      return null;
    }, {}),
  finish: async (request, response) => {
    await change(database, sql`UPDATE ${TABLE} SET response = ${response} WHERE ${isKey(request)}`);
  },
  abandon: async (request) => {
    await change(database, sql`DELETE FROM ${TABLE} WHERE ${isOpen(request)}`);
  },
  forget: (begunBefore) => change(database, sql`DELETE FROM ${TABLE} WHERE created_at < ${begunBefore}`),
});

interface Key {
  readonly principal: string;
  readonly key: string;
}

const isKey = ({ principal, key }: Key): Sql => sql`principal = ${principal} AND key = ${key}`;
const isOpen = (request: Key): Sql => sql`${isKey(request)} AND response IS NULL`;
