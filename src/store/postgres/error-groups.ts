// Dead jobs by what they died of.

import { errorGroupOf, errorStepOf, exampleWhere, groupsWhere, stepsWhere } from '../sql/error-groups.ts';
import type { Row } from '../rows/rows.ts';
import type { ErrorGroup, ErrorStep, JobFilter } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { matching } from './list.ts';

export function errorGroups(connection: Connection, filter: JobFilter, limit: number): Promise<ErrorGroup[]> {
  const { where, values } = matching(filter);
  return connection.read(async (session) => {
    const { rows } = await session.sql(groupsWhere(where, limit), values);
    return Promise.all(
      rows.map(async (group) => errorGroupOf(group, await exampleOf(session, filter, group))),
    );
  }, LONG_MS);
}

/** A comparison with null would keep the index from being used. */
async function exampleOf(
  session: Session,
  filter: JobFilter,
  { fingerprint }: Row,
): Promise<Row | undefined> {
  const isNone = fingerprint === null;
  const { where, values } = matching(filter, 'j', isNone ? [] : [fingerprint]);
  const { rows } = await session.sql(exampleWhere(where, isNone ? 'IS NULL' : '= $1::text'), values);
  return rows[0];
}

export async function errorTrend(
  connection: Connection,
  filter: JobFilter,
  from: number,
  stepMs: number,
): Promise<ErrorStep[]> {
  const { where, values } = matching(filter, 'j', [from, stepMs]);
  const statement = stepsWhere(where, '$1::bigint', '$2::bigint');
  const { rows } = await connection.read((session) => session.sql(statement, values), LONG_MS);
  return rows.map(errorStepOf);
}
