// Whole jobs from a file, behind those that are there.

import type { ParentOutcome } from '../../job/flow/dependencies.ts';
import { QueueError } from '../../errors/errors.ts';
import { columnType, IMPORTED_TABLES, rowOfJob, UNLINKED } from '../rows/import-rows.ts';
import type { ColumnInfo } from '../port/import.ts';
import { COPIED_WITH_JOBS, type Row, TABLES_OF_QUEUE } from '../rows/rows.ts';
import type { CopiedJob, CopiedTables, Lease } from '../store.ts';
import type { Connection } from './connection.ts';
import { insert, withId } from './copy.ts';
import { decide, follow } from './dependencies.ts';
import { keepText } from './environments.ts';
import { isConstraint } from './failures.ts';
import { keepPart } from './outputs.ts';
import { keepStdin } from './stdins.ts';

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

/** What they wrote is small here, and read before the transaction, which cannot wait for it. */
export async function importJobs(
  connection: Connection,
  jobs: readonly CopiedJob[],
  clock: () => number,
): Promise<void> {
  const whole: { job: CopiedJob; outputs: Outputs; stdin: Stdin }[] = [];
  for (const job of jobs) whole.push({ job, outputs: await outputsOf(job), stdin: await job.stdin?.() });
  await connection.write(() => {
    const now = clock();
    for (const { job, outputs, stdin } of whole) {
      const seq = importJob(connection, job, outputs, now);
      if (stdin) keepStdin(connection, seq, stdin);
    }
  });
}

type Stdin = Uint8Array | null | undefined;
type Outputs = readonly { readonly run: number; readonly part: Parameters<typeof keepPart>[2] }[];

async function outputsOf({ attempts }: CopiedJob): Promise<Outputs> {
  const found: { run: number; part: Parameters<typeof keepPart>[2] }[] = [];
  for (const { cells, output } of attempts)
    for await (const part of output?.() ?? []) found.push({ run: Number(cells.number), part });
  return found;
}

const KEEP_GROUP = 'INSERT OR IGNORE INTO groups (name, created_at) VALUES (?, ?)';

function importJob(
  connection: Connection,
  { job, environment, attempts, rows }: CopiedJob,
  outputs: Outputs,
  now: number,
): number {
  if (job.group_name) connection.sql(KEEP_GROUP).run(job.group_name, now);
  const seq = insertNew(connection, { ...job, environment_id: keepText(connection, environment) });
  for (const { cells } of attempts) insert(connection, 'attempts', { ...cells, job_seq: seq });
  for (const table of COPIED_WITH_JOBS)
    for (const cells of rows[table] ?? []) insert(connection, table, rowOfJob(table, cells, seq));
  for (const { run, part } of outputs) keepPart(connection, { seq, run } satisfies Lease, part);
  return seq;
}

function insertNew(connection: Connection, job: CopiedJob['job']): number {
  try {
    return insert(connection, 'jobs', job);
  } catch (error) {
    throw isConstraint(error) ? new QueueError('job_exists', { id: String(job.id) }) : error;
  }
}

export function importTables(connection: Connection, tables: CopiedTables): void {
  for (const table of TABLES_OF_QUEUE)
    for (const cells of tables[table] ?? [])
      insert(connection, table, withId(connection, cells), 'INSERT OR IGNORE');
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

/** What is known of how it ended stays; one that is not there was left out, or deleted. */
function parentOf(connection: Connection, edge: Row): { seq: number | null; outcome: ParentOutcome | null } {
  const known = edge.outcome as ParentOutcome | null;
  const [kind, on] = [edge.kind as 'job' | 'group', String(edge.parent)];
  if (known === null)
    return follow(connection, { kind, on, rule: 'end' }) ?? { seq: null, outcome: 'deleted' };
  const row = kind === 'job' ? connection.sql('SELECT seq FROM jobs WHERE id = ?').get(on) : undefined;
  return { seq: row ? Number(row.seq) : null, outcome: known };
}
