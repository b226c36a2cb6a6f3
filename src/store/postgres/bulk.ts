// Bulk operations: change a bounded number of jobs per transaction. The jobs are locked first, in the order of seq.

import { CHANGEABLE, type Change } from '../../job/change.ts';
import { isRunning } from '../../job/state-sets.ts';
import { quoted } from '../rows/rows.ts';
import type { ChangedSome, JobFilter } from '../store.ts';
import { cancelJobs, removeSeqs, retrySeqs } from './change.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { WAITING_COLUMNS } from '../rows/edit-columns.ts';
import { changeWaiting, type WaitingJob } from './edit.ts';
import { currentTime } from './rows.ts';
import { matching } from '../sql/matching.ts';
import { raw, sql } from '../sql/statement.ts';
import { rowsWith } from './database.ts';
import { DIALECT } from './dialect.ts';
import { wakeWorkers } from './wake.ts';

/** Changes that are the same whether done once or twice. The others set a proof. */
const isRepeatable = ({ kind }: Change): boolean => !['retry', 'cancel', 'delete'].includes(kind);

export function changeSome(
  connection: Connection,
  ids: readonly string[],
  filter: JobFilter,
  change: Change,
): Promise<ChangedSome> {
  return connection.write(
    async (session) => {
      const jobs = await chosen(connection, session, ids, filter, change);
      const more = await apply(connection, session, jobs, change);
      if (jobs.length > 0) wakeWorkers(connection, session);
      return { jobs: jobs.length, ending: [], logPaths: [], ...more };
    },
    { withinMs: LONG_MS, isRepeatable: isRepeatable(change) },
  );
}

async function chosen(
  connection: Connection,
  session: Session,
  ids: readonly string[],
  filter: JobFilter,
  { kind }: Change,
): Promise<WaitingJob[]> {
  const isChangeable = raw(`j.state IN (${quoted(CHANGEABLE[kind])})`);
  const chosen = sql`
    SELECT ${raw(WAITING_COLUMNS)}, ${currentTime(connection.givenNow)} AS now FROM jobs j
    WHERE ${DIALECT.isAmong('j.id', 'text', ids)} AND ${matching(DIALECT, filter)} AND ${isChangeable}
    ORDER BY j.seq FOR UPDATE`;
  return (await rowsWith(session, chosen)) as unknown as WaitingJob[];
}

async function apply(
  connection: Connection,
  session: Session,
  jobs: readonly WaitingJob[],
  change: Change,
): Promise<Partial<ChangedSome>> {
  const seqs = jobs.map(({ seq }) => seq);
  switch (change.kind) {
    case 'retry':
      await retrySeqs(connection, session, seqs);
      return {};
    case 'cancel':
      await cancelJobs(connection, session, jobs);
      return { ending: jobs.filter(({ state }) => isRunning(state)).map(({ id }) => id) };
    case 'delete':
      return { logPaths: (await removeSeqs(connection, session, seqs)).logPaths };
    default:
      await changeWaiting(session, jobs, change);
      return {};
  }
}
