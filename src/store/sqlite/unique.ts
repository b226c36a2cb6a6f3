// Unique jobs that are being enqueued: skipped jobs are removed from the staging table, and replaced jobs are
// cancelled, within the same transaction.

import type { JobState } from '../../job/job.ts';
import { isFinal } from '../../job/job.ts';
import { decideUnique, insteadOf, type Replaced, replacedBy } from '../../job/flow/unique.ts';
import { redirected } from '../rows/dependency-rows.ts';
import type { Row } from '../rows/rows.ts';
import { candidatesOf, inTheWay } from '../rows/unique-rows.ts';
import { cancelJobs } from './change.ts';
import type { Connection } from './connection.ts';

const IN_THE_WAY = inTheWay('temp.staged', '$now', { position: 'rowid', key: 'unique_key' });

/** Maps the ID of each skipped job to the ID of the job that exists instead. */
export function admitUnique(connection: Connection, now: number): Map<string, string> {
  const rows = connection.sql(IN_THE_WAY).all({ $now: now }) as Row[];
  if (rows.length === 0) return new Map();
  const { leftOut, replaced } = decideUnique(candidatesOf(rows));
  const positions = JSON.stringify(leftOut.map(({ position }) => position));
  connection.sql('DELETE FROM temp.staged WHERE rowid IN (SELECT value FROM json_each(?))').run(positions);
  for (const job of replaced) replace(connection, job, now);
  const instead = insteadOf(leftOut);
  if (instead.size > 0) redirect(connection, instead);
  return instead;
}

function replace(connection: Connection, { seq, by }: Replaced, now: number): void {
  const state = connection.sql('SELECT state FROM jobs WHERE seq = ?').get(seq)?.state as JobState;
  if (isFinal(state)) return; // it conflicted only by its age
  cancelJobs(connection, [{ seq, state }], now);
  connection.sql('UPDATE jobs SET last_error = ? WHERE seq = ?').run(replacedBy(by), seq);
}

/** Redirects dependencies on skipped jobs to the jobs that exist instead. */
function redirect(connection: Connection, instead: ReadonlyMap<string, string>): void {
  const rows = connection.sql('SELECT rowid, depends_on FROM temp.staged WHERE depends_on IS NOT NULL').all() as Row[];
  const write = connection.sql('UPDATE temp.staged SET depends_on = ? WHERE rowid = ?');
  for (const row of rows) {
    const changed = redirected(row, instead);
    if (changed !== null) write.run(changed, Number(row.rowid));
  }
}
