// What is wrong with what the tables hold, a sentence each.

import { RECOUNT, missingEnvironments, miscountsOf, WITHOUT_ENVIRONMENT } from '../checks.ts';
import { type Connection, LONG_MS } from './connection.ts';

export async function check(connection: Connection): Promise<string[]> {
  const recount = await connection.read((session) => session.sql(RECOUNT), LONG_MS);
  const without = await connection.read((session) => session.sql(WITHOUT_ENVIRONMENT), LONG_MS);
  return [...miscountsOf(recount.rows), ...missingEnvironments(Number(without.rows[0]?.n))];
}
