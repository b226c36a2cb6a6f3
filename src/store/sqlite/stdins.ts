// Standard input of jobs.

import type { Connection } from './connection.ts';

/** Stores the standard input of jobs that came from the staging table in this transaction. */
export function keepStagedStdins(connection: Connection): void {
  connection.exec(`
    INSERT INTO stdins (job_seq, data)
    SELECT jobs.seq, staged.stdin FROM temp.staged JOIN jobs ON jobs.id = staged.id WHERE staged.stdin IS NOT NULL`);
}

export function keepStdin(connection: Connection, seq: number, data: Uint8Array): void {
  connection.sql('INSERT INTO stdins (job_seq, data) VALUES (?, ?)').run(seq, data);
}
