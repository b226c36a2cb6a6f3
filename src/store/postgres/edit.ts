// Manual changes of waiting jobs: hold, release, run now, edit. src/job/waiting-change.ts decides about their new place.
// Jobs are locked first, in the order of seq, so that a decision still holds when it is written.

import { checkState } from '../../job/check-state.ts';
import type { Job } from '../../job/job.ts';
import { checkHeld, placeAfter, STATES_FOR, type WaitingChange } from '../../job/waiting-change.ts';
import { editCells, WAITING_COLUMNS, type WaitingRow } from '../rows/edit-columns.ts';
import type { Connection, Session } from './session/connection.ts';
import { getAll } from './database.ts';
import { columnsOf, now, seqsOf } from './rows.ts';
import { retag } from './tags.ts';
import { wakeWorkers } from './wake.ts';

export interface WaitingJob extends WaitingRow {
  /** The time of the transaction. */
  readonly now: number;
}

/** $1 is the time, or null for the server's clock. */
const WAITING_ROW = `${WAITING_COLUMNS}, ${now('$1')} AS now`;

/** Changing them twice has the same result as changing them once. */
export function change(connection: Connection, ids: readonly string[], wanted: WaitingChange): Promise<Job[]> {
  return connection.write(
    async (session) => {
      const jobs = await expectWaiting(connection, session, ids, wanted);
      await changeWaiting(session, jobs, wanted);
      wakeWorkers(connection, session);
      return getAll(session, ids);
    },
    { isRepeatable: true },
  );
}

const EXPECTED = `SELECT ${WAITING_ROW} FROM jobs WHERE id = ANY($2::text[]) ORDER BY seq FOR UPDATE`;

async function expectWaiting(
  connection: Connection,
  session: Session,
  ids: readonly string[],
  wanted: WaitingChange,
): Promise<WaitingJob[]> {
  const known = ids.filter((id) => !id.includes('\0'));
  const { rows } = await session.sql(EXPECTED, [connection.givenNow, known]);
  const jobs = new Map((rows as unknown as WaitingJob[]).map((job) => [job.id, job]));
  for (const id of ids) {
    const job = jobs.get(id);
    checkState(id, job?.state, STATES_FOR[wanted.kind], wanted.kind);
    checkHeld(job as WaitingJob, wanted);
  }
  return [...jobs.values()];
}

/** All of the jobs must be in a state that allows the change. */
export async function changeWaiting(
  session: Session,
  jobs: readonly WaitingJob[],
  wanted: WaitingChange,
): Promise<void> {
  if (jobs.length === 0) return;
  const cells = jobs.map((job) => (wanted.kind === 'edit' ? editCells(job, wanted.edit) : []));
  const edited = cells[0] ?? [];
  const rows = jobs.map((job, i) => {
    const { ready, runAt, nextRunAt, held } = placeAfter(job, wanted, job.now);
    return [job.seq, ready, runAt, nextRunAt, held, job.now, ...(cells[i] ?? []).map(({ value }) => value)];
  });
  await session.sql(
    `UPDATE jobs SET ready = given.ready, run_at = given.run_at, next_run_at = given.next_run_at, held = given.held,
       waits_at = NULL, updated_at = given.now
       ${edited.map(({ column }) => `, ${column} = given.${column}`).join('')}
     FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[]
         ${edited.map(({ type }, i) => `, $${i + 7}::${type}[]`).join('')})
       AS given (seq, ready, run_at, next_run_at, held, now${edited.map(({ column }) => `, ${column}`).join('')})
     WHERE jobs.seq = given.seq`,
    columnsOf(rows, 6 + edited.length),
  );
  if (wanted.kind === 'edit' && wanted.edit.tags !== undefined) retag(session, seqsOf(jobs), wanted.edit.tags);
}
