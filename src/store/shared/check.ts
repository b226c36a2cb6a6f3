// What is wrong with the rows in the tables, a sentence each.

import type { Row } from '../rows/rows.ts';
import {
  BROKEN_FLOWS,
  brokenFlows,
  miscountsOf,
  missingEnvironments,
  RECOUNT,
  RECOUNT_GROUPS,
  WITHOUT_ENVIRONMENT,
} from '../sql/checks.ts';
import type { Database } from '../sql/database.ts';
import { raw } from '../sql/statement.ts';

export async function brokenRows(database: Database): Promise<string[]> {
  const rows = (statement: string): Promise<Row[]> => database.rows(raw(statement), { isLong: true });
  const count = async (statement: string): Promise<number> => Number((await rows(statement))[0]?.n);
  const flows: number[] = [];
  for (const flow of BROKEN_FLOWS) flows.push(await count(flow.count));
  return [
    ...miscountsOf(await rows(RECOUNT)),
    ...miscountsOf(await rows(RECOUNT_GROUPS), 'group'),
    ...brokenFlows(flows),
    ...missingEnvironments(await count(WITHOUT_ENVIRONMENT)),
  ];
}
