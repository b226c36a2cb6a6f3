// What is wrong with what the tables hold, a sentence each.

import {
  RECOUNT,
  RECOUNT_GROUPS,
  missingEnvironments,
  miscountsOf,
  WITHOUT_ENVIRONMENT,
  BROKEN_FLOWS,
  brokenFlows,
} from '../sql/checks.ts';
import { type Connection, LONG_MS } from './session/connection.ts';

export async function check(connection: Connection): Promise<string[]> {
  const recount = await connection.read((session) => session.sql(RECOUNT), LONG_MS);
  const groups = await connection.read((session) => session.sql(RECOUNT_GROUPS), LONG_MS);
  const without = await connection.read((session) => session.sql(WITHOUT_ENVIRONMENT), LONG_MS);
  const flows: number[] = [];
  for (const { count } of BROKEN_FLOWS) {
    const { rows } = await connection.read((session) => session.sql(count), LONG_MS);
    flows.push(Number(rows[0]?.n));
  }
  return [
    ...miscountsOf(recount.rows),
    ...miscountsOf(groups.rows, 'group'),
    ...brokenFlows(flows),
    ...missingEnvironments(Number(without.rows[0]?.n)),
  ];
}
