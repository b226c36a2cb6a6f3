// Importing whole jobs from a file, after the existing jobs.

import type { ParentOutcome } from '../../job/flow/dependencies.ts';
import { columnType, IMPORTED_TABLES, rowOfJob, UNLINKED } from '../rows/import-rows.ts';
import type { ColumnInfo } from '../port/import.ts';
import { type Row, TABLES_OF_QUEUE } from '../rows/rows.ts';
import type { CopiedJob, CopiedTables } from '../store.ts';
import type { Connection } from './connection.ts';
import { insert, insertJob, loadedJob, withId } from './copy.ts';
import { decide, follow } from './dependencies.ts';

export const copiedColumns = (connection: Connection): Record<string, ColumnInfo[]> =>
  Object.fromEntries(IMPORTED_TABLES.map((table) => [table, columnsOf(connection, table)]));

const columnsOf = (connection: Connection, table: string): ColumnInfo[] =>
  (connection.sql('SELECT * FROM pragma_table_info(?)').all(table) as Row[]).map((row) => ({
    name: String(row.name),
    type: columnType(String(row.type)),
    isNullable: row.notnull === 0 && row.pk === 0,
    hasDefault: row.dflt_value !== null,
  }));

export const takenIds = (connection: Connection, ids: readonly string[]): string[] =>
  connection
    .sql('SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(?)) ORDER BY seq')
    .all(JSON.stringify(ids))
    .map((row) => String(row.id));

const KEEP_GROUP = 'INSERT OR IGNORE INTO groups (name, created_at) VALUES (?, ?)';

export async function importJobs(
  connection: Connection,
  jobs: readonly CopiedJob[],
  clock: () => number,
): Promise<void> {
  const loaded = await Promise.all(jobs.map(loadedJob));
  await connection.write(() => {
    const now = clock();
    for (const one of loaded) {
      const group = one.job.job.group_name;
      if (group) connection.sql(KEEP_GROUP).run(group, now);
      insertJob(connection, one, rowOfJob);
    }
  });
}

export function importTables(connection: Connection, tables: CopiedTables): void {
  for (const table of TABLES_OF_QUEUE)
    for (const cells of tables[table] ?? []) insert(connection, table, withId(connection, cells), 'INSERT OR IGNORE');
}

const UNLINKED_EDGES = `
  SELECT job_seq, position, kind, parent, outcome FROM dependencies WHERE parent_seq = ${UNLINKED}
  ORDER BY job_seq, position LIMIT 0 + ?`;
const LINK = 'UPDATE dependencies SET parent_seq = ?, outcome = ? WHERE job_seq = ? AND position = ?';

export function linkImported(connection: Connection, limit: number, now: number): { more: boolean } {
  const edges = connection.sql(UNLINKED_EDGES).all(limit) as Row[];
  for (const edge of edges) {
    const { seq, outcome } = parentOf(connection, edge);
    connection.sql(LINK).run(seq, outcome, Number(edge.job_seq), Number(edge.position));
  }
  for (const seq of new Set(edges.map(({ job_seq }) => Number(job_seq)))) decide(connection, seq, now);
  return { more: edges.length === limit };
}

/** Keeps a known outcome. A missing parent was not exported, or has been deleted. */
function parentOf(connection: Connection, edge: Row): { seq: number | null; outcome: ParentOutcome | null } {
  const known = edge.outcome as ParentOutcome | null;
  const [kind, on] = [edge.kind as 'job' | 'group', String(edge.parent)];
  if (known === null) return follow(connection, { kind, on, rule: 'end' }) ?? { seq: null, outcome: 'deleted' };
  const row = kind === 'job' ? connection.sql('SELECT seq FROM jobs WHERE id = ?').get(on) : undefined;
  return { seq: row ? Number(row.seq) : null, outcome: known };
}
