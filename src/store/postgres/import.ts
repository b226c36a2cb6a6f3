// Imports whole jobs from a file, after the existing jobs.

import { QueueError } from '../../errors/errors.ts';
import type { ParentOutcome } from '../../job/flow/dependencies.ts';
import { columnType, IMPORTED_TABLES, rowOfJob, UNLINKED } from '../rows/import-rows.ts';
import type { ColumnInfo } from '../port/import.ts';
import { type Row, TABLES_OF_QUEUE } from '../rows/rows.ts';
import type { Cells, CopiedJob, CopiedTables } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { environmentsIn, insert, insertDetails, keepAll, wellFormed, withIds } from './copy.ts';
import { decideAll, followGroups, followJobs, type Parent } from './dependencies.ts';
import { isUniqueViolation } from './session/failures.ts';
import { addGroups } from './groups.ts';
import { columnsOf, currentTimeIn } from './rows.ts';
import { wakeWorkers } from './wake.ts';

const COLUMNS = `
  SELECT t.name AS "table", attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS is_nullable,
    atthasdef OR attidentity <> '' AS has_default
  FROM unnest($1::text[]) AS t (name) JOIN pg_attribute ON attrelid = t.name::regclass
  WHERE attnum > 0 AND NOT attisdropped ORDER BY t.name, attnum`;

export async function copiedColumns(connection: Connection): Promise<Record<string, ColumnInfo[]>> {
  const { rows } = await connection.query(COLUMNS, [IMPORTED_TABLES]);
  const byTable = Map.groupBy(rows, ({ table }) => String(table));
  return Object.fromEntries([...byTable].map(([table, columns]) => [table, columns.map(columnOf)]));
}

const columnOf = (row: Row): ColumnInfo => ({
  name: String(row.name),
  type: columnType(String(row.type)),
  isNullable: Boolean(row.is_nullable),
  hasDefault: Boolean(row.has_default),
});

export async function takenIds(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const { rows } = await connection.query('SELECT id FROM jobs WHERE id = ANY($1::text[]) ORDER BY seq', [
    ids.filter((id) => !id.includes('\0')),
  ]);
  return rows.map(({ id }) => String(id));
}

export async function importJobs(connection: Connection, jobs: readonly CopiedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  try {
    await connection.write((session) => importAll(connection, session, jobs), { withinMs: LONG_MS });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const [id = jobs[0]?.job.id] = await takenIds(
      connection,
      jobs.map(({ job }) => String(job.id)),
    );
    throw new QueueError('job_exists', { id: String(id) });
  }
}

async function importAll(connection: Connection, session: Session, jobs: readonly CopiedJob[]): Promise<void> {
  const environments = await keepAll(session, environmentsIn(jobs));
  const groups = new Set(jobs.flatMap(({ job }) => (job.group_name ? [String(job.group_name)] : [])));
  await addGroups(session, [...groups], [], connection.givenNow);
  const seqs = await insertNew(
    session,
    jobs.map(({ job, environment }) => ({ ...job, environment_id: environments.get(environment) ?? null })),
  );
  const placed = jobs.map((job) => ({ ...job, seq: seqs.get(String(job.job.id)) ?? 0 }));
  await insertDetails(connection, session, placed, rowOfJob);
}

/** Inserts the jobs in their order. Returns their new seqs by ID. */
async function insertNew(session: Session, rows: readonly Cells[]): Promise<Map<string, number>> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  const added = await session.sql(
    `INSERT INTO jobs (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::jobs, $1::json) WITH ORDINALITY ORDER BY ordinality
     RETURNING seq, id`,
    [JSON.stringify(rows, wellFormed)],
  );
  return new Map(added.rows.map(({ id, seq }) => [String(id), Number(seq)]));
}

export const importTables = (connection: Connection, tables: CopiedTables): Promise<void> =>
  connection.write(
    async (session) => {
      for (const table of TABLES_OF_QUEUE)
        await insert(session, table, await withIds(session, tables[table] ?? []), 'ON CONFLICT DO NOTHING');
      wakeWorkers(connection, session);
    },
    { withinMs: LONG_MS, isRepeatable: true },
  );

const UNLINKED_EDGES = `
  SELECT job_seq, position, kind, parent, outcome FROM dependencies WHERE parent_seq = ${UNLINKED}
  ORDER BY job_seq, position LIMIT $1 FOR UPDATE`;
const LINK = `
  UPDATE dependencies SET parent_seq = given.parent_seq, outcome = given.outcome
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS given (job_seq, position, parent_seq, outcome)
  WHERE dependencies.job_seq = given.job_seq AND dependencies.position = given.position`;

export function linkImported(connection: Connection, limit: number): Promise<{ more: boolean }> {
  return connection.write(
    async (session) => {
      const { rows: edges } = await session.sql(UNLINKED_EDGES, [limit]);
      if (edges.length === 0) return { more: false };
      const parents = await parentsOf(session, edges);
      const linked = edges.map((edge) => {
        const { seq, outcome } = parentOf(edge, parents);
        return [edge.job_seq, edge.position, seq, outcome];
      });
      await session.sql(LINK, columnsOf(linked, 4));
      const children = [...new Set(edges.map(({ job_seq }) => Number(job_seq)))];
      await decideAll(session, children, await currentTimeIn(connection, session));
      wakeWorkers(connection, session);
      return { more: edges.length === limit };
    },
    { withinMs: LONG_MS, isRepeatable: true },
  );
}

interface Parents {
  readonly job: ReadonlyMap<string, Parent>;
  readonly group: ReadonlyMap<string, Parent>;
}

async function parentsOf(session: Session, edges: readonly Row[]): Promise<Parents> {
  const named = (kind: string) => [
    ...new Set(edges.filter((edge) => edge.kind === kind).map(({ parent }) => String(parent))),
  ];
  return {
    job: await followJobs(session, named('job')),
    group: await followGroups(session, named('group')),
  };
}

/** A known outcome is kept. A missing parent was left out of the file, or deleted. */
function parentOf(edge: Row, parents: Parents): Parent {
  const found = parents[edge.kind as 'job' | 'group'].get(String(edge.parent));
  const known = edge.outcome as ParentOutcome | null;
  return { seq: found?.seq ?? null, outcome: known ?? (found ? found.outcome : 'deleted') };
}
