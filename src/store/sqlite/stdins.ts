// What jobs are given to read, kept beside them.

import type { Connection } from './connection.ts';

/** Of jobs that came from the staging table in this transaction. */
export function keepStagedStdins(connection: Connection): void {
  connection.exec(`
    INSERT INTO stdins (job_seq, data)
    SELECT jobs.seq, staged.stdin FROM temp.staged JOIN jobs ON jobs.id = staged.id WHERE staged.stdin IS NOT NULL`);
}

export function keepStdin(connection: Connection, seq: number, data: Uint8Array): void {
  connection.sql('INSERT INTO stdins (job_seq, data) VALUES (?, ?)').run(seq, data);
}
