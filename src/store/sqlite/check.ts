// What is wrong with the database itself, a sentence each.

import { RECOUNT, missingEnvironments, miscountsOf, WITHOUT_ENVIRONMENT } from '../checks.ts';
import type { Connection } from './connection.ts';

export function check(connection: Connection): string[] {
  const found = connection.sql('PRAGMA quick_check').all();
  return [
    ...found.map((row) => String(row.quick_check)).filter((line) => line !== 'ok'),
    ...miscountsOf(connection.sql(RECOUNT).all()),
    ...missingEnvironments(Number(connection.sql(WITHOUT_ENVIRONMENT).get()?.n)),
  ];
}
