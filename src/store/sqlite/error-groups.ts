// Dead jobs by what they died of.

import { errorGroupOf, errorStepOf, exampleWhere, groupsWhere, stepsWhere } from '../sql/error-groups.ts';
import type { Row } from '../rows/rows.ts';
import type { ErrorGroup, ErrorStep, JobFilter } from '../store.ts';
import type { Connection } from './connection.ts';
import { matching } from './list.ts';

const BY_FINGERPRINT = 'INDEXED BY jobs_fingerprint';

export function errorGroups(connection: Connection, filter: JobFilter, limit: number): ErrorGroup[] {
  const { where, values } = matching(filter);
  const groups = connection.sql(groupsWhere(where, limit, BY_FINGERPRINT)).all(...values) as Row[];
  const example = connection.sql(exampleWhere(where, 'IS ?'));
  return groups.map((group) =>
    errorGroupOf(group, example.get(group.fingerprint as string | null, ...values) as Row | undefined),
  );
}

export function errorTrend(
  connection: Connection,
  filter: JobFilter,
  from: number,
  stepMs: number,
): ErrorStep[] {
  const { where, values } = matching(filter);
  const statement = stepsWhere(where, 'CAST(? AS INTEGER)', 'CAST(? AS INTEGER)', BY_FINGERPRINT);
  const rows = connection.sql(statement).all(from, stepMs, from, ...values) as Row[];
  return rows.map(errorStepOf);
}
