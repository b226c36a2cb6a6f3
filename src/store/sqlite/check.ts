// What is wrong with the database itself, a sentence each.

import {
  RECOUNT,
  RECOUNT_GROUPS,
  missingEnvironments,
  miscountsOf,
  WITHOUT_ENVIRONMENT,
  BROKEN_FLOWS,
  brokenFlows,
} from '../sql/checks.ts';
import type { Connection } from './connection.ts';

export function check(connection: Connection): string[] {
  const found = connection.sql('PRAGMA quick_check').all();
  return [
    ...found.map((row) => String(row.quick_check)).filter((line) => line !== 'ok'),
    ...miscountsOf(connection.sql(RECOUNT).all()),
    ...miscountsOf(connection.sql(RECOUNT_GROUPS).all(), 'group'),
    ...brokenFlows(BROKEN_FLOWS.map(({ count }) => Number(connection.sql(count).get()?.n))),
    ...missingEnvironments(Number(connection.sql(WITHOUT_ENVIRONMENT).get()?.n)),
  ];
}
