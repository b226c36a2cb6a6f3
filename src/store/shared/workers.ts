// Workers and their running attempts. Each store implements registration, heartbeats and rescues itself.

import type { Running, WorkerRecord } from '../port/workers.ts';
import { attemptOf, workerOf } from '../rows/rows.ts';
import { type Database, runAll, rowsOf, type Steps } from '../sql/database.ts';
import { sql } from '../sql/statement.ts';

export const allWorkers = (database: Database): Promise<WorkerRecord[]> =>
  database.read(function* () {
    const [workers, held] = yield* runAll([
      sql`SELECT * FROM workers ORDER BY started_at, id`,
      sql`SELECT locked_by, id FROM jobs WHERE locked_by IS NOT NULL ORDER BY locked_by, seq`,
    ]);
    const jobsOf = Map.groupBy(held?.rows ?? [], ({ locked_by }) => locked_by);
    const idsOf = (worker: unknown): string[] => (jobsOf.get(worker) ?? []).map(({ id }) => String(id));
    return (workers?.rows ?? []).map((row) => workerOf(row, idsOf(row.id)));
  });

export function* runningOn(id: string): Steps<Running[]> {
  const rows = yield* rowsOf(sql`
    SELECT a.*, j.seq, j.id AS job_id FROM jobs j JOIN attempts a ON a.job_seq = j.seq AND a.number = j.runs
    WHERE j.locked_by = ${id} ORDER BY j.seq`);
  return rows.map((row) => ({ ...attemptOf(row), seq: row.seq as number, jobId: row.job_id as string }));
}
