// The standard input of jobs, stored in a separate table.

import type { NewJob } from '../../job/job.ts';
import type { Session } from './session/connection.ts';

const GIVEN = 'unnest($1::text[], $2::bytea[]) AS given (id, data)';

const keepFrom = (source: string): string => `
  INSERT INTO stdins (job_seq, data)
  SELECT jobs.seq, given.data FROM ${source} JOIN jobs ON jobs.id = given.id COLLATE "C"`;

/** For jobs that were inserted in this transaction. */
export async function keepStdins(session: Session, jobs: readonly NewJob[]): Promise<void> {
  const columns = columnsOf(jobs);
  if (columns) await session.sql(keepFrom(GIVEN), columns);
}

/** For jobs in a temporary table. */
export async function stageStdins(session: Session, table: string, jobs: readonly NewJob[]): Promise<void> {
  const columns = columnsOf(jobs);
  if (columns) await session.sql(`INSERT INTO ${table} (id, data) SELECT id, data FROM ${GIVEN}`, columns);
}

/** For the admitted jobs: those that were left out are no longer staged. */
export async function keepStagedStdins(session: Session, table: string, staged: string): Promise<void> {
  const admitted = `SELECT id, data FROM ${table} WHERE id IN (SELECT id FROM ${staged})`;
  await session.sql(keepFrom(`(${admitted}) AS given`));
}

export async function keepStdin(session: Session, seq: number, data: Uint8Array | null | undefined): Promise<void> {
  if (data) await session.sql('INSERT INTO stdins (job_seq, data) VALUES ($1, $2)', [seq, Buffer.from(data)]);
}

/** null: none of the jobs has standard input. */
function columnsOf(jobs: readonly NewJob[]): [string[], Buffer[]] | null {
  const given = jobs.flatMap(({ id, stdin }) => (stdin ? [{ id, data: Buffer.from(stdin) }] : []));
  return given.length === 0 ? null : [given.map(({ id }) => id), given.map(({ data }) => data)];
}
