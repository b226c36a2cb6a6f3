// Many jobs changed by a person, a bounded number in a transaction.

import { CHANGEABLE, type Change } from '../../job/change.ts';
import { isRunning } from '../../job/state-sets.ts';
import { WAITING_COLUMNS, type WaitingRow } from '../rows/edit-columns.ts';
import { quoted } from '../rows/rows.ts';
import type { ChangedSome, JobFilter } from '../store.ts';
import { cancelJobs, removeSeqs, retrySeqs } from './change.ts';
import type { Connection } from './connection.ts';
import { changeWaiting } from './edit.ts';
import { givenIds, matching } from './list.ts';

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

function chosen(
  connection: Connection,
  ids: readonly string[],
  filter: JobFilter,
  { kind }: Change,
): WaitingRow[] {
  const { where, values } = matching(filter);
  const states = quoted(CHANGEABLE[kind]);
  return connection
    .sql(`
      SELECT ${WAITING_COLUMNS} FROM ${givenIds()} CROSS JOIN jobs j ON j.id = given.wanted
      WHERE ${where} AND j.state IN (${states}) ORDER BY j.seq`)
    .all(JSON.stringify(ids), ...values) as unknown as WaitingRow[];
}

function apply(
  connection: Connection,
  jobs: readonly WaitingRow[],
  change: Change,
  now: number,
): Partial<ChangedSome> {
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
