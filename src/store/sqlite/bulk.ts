// Bulk changes by users, with a bounded number of jobs in a transaction.

import { CHANGEABLE, type Change } from '../../job/change.ts';
import { isRunning } from '../../job/state-sets.ts';
import { WAITING_COLUMNS, type WaitingRow } from '../rows/edit-columns.ts';
import { quoted } from '../rows/rows.ts';
import type { ChangedSome, JobFilter } from '../store.ts';
import { cancelJobs, removeSeqs, retrySeqs } from './change.ts';
import type { Connection } from './connection.ts';
import { changeWaiting } from './edit.ts';
import { matching } from '../sql/matching.ts';
import { raw, sql } from '../sql/statement.ts';
import { rowsWith } from './database.ts';
import { DIALECT } from './dialect.ts';

export function changeSome(
  connection: Connection,
  ids: readonly string[],
  filter: JobFilter,
  change: Change,
  now: number,
): ChangedSome {
  const jobs = chosen(connection, ids, filter, change);
  return { jobs: jobs.length, ending: [], logPaths: [], ...apply(connection, jobs, change, now) };
}

function chosen(connection: Connection, ids: readonly string[], filter: JobFilter, { kind }: Change): WaitingRow[] {
  const { from, where } = DIALECT.lookUp('jobs j', 'j.id', ids);
  const isChangeable = raw(`j.state IN (${quoted(CHANGEABLE[kind])})`);
  const chosen = sql`
    SELECT ${raw(WAITING_COLUMNS)} FROM ${from}
    WHERE ${where} AND ${matching(DIALECT, filter)} AND ${isChangeable} ORDER BY j.seq`;
  return rowsWith(connection, chosen) as unknown as WaitingRow[];
}

function apply(connection: Connection, jobs: readonly WaitingRow[], change: Change, now: number): Partial<ChangedSome> {
  const seqs = jobs.map(({ seq }) => seq);
  switch (change.kind) {
    case 'retry':
      retrySeqs(connection, seqs, now);
      return {};
    case 'cancel':
      cancelJobs(connection, jobs, now);
      return { ending: jobs.filter(({ state }) => isRunning(state)).map(({ id }) => id) };
    case 'delete':
      return { logPaths: removeSeqs(connection, seqs).logPaths };
    default:
      changeWaiting(connection, jobs, change, now);
      return {};
  }
}
