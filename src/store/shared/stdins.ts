// Standard input of jobs.

import type { Database } from '../sql/database.ts';
import { sql } from '../sql/statement.ts';

export async function stdinOf(database: Database, seq: number): Promise<Uint8Array | null> {
  const [row] = await database.rows(sql`SELECT data FROM stdins WHERE job_seq = ${seq}`);
  return (row?.data as Uint8Array | undefined) ?? null;
}
