// Changes by users to waiting jobs: hold, release, run now, edit. src/job/waiting-change.ts decides the result.

import { checkState } from '../../job/check-state.ts';
import type { Job, JobState } from '../../job/job.ts';
import { checkHeld, placeAfter, STATES_FOR, type WaitingChange } from '../../job/waiting-change.ts';
import { editCells, WAITING_COLUMNS, type WaitingRow } from '../rows/edit-columns.ts';
import type { Connection } from './connection.ts';
import { getAll } from './database.ts';
import { retag } from './tags.ts';

export function change(connection: Connection, ids: readonly string[], wanted: WaitingChange, now: number): Job[] {
  const jobs = ids.map((id) => expectWaiting(connection, id, wanted));
  changeWaiting(connection, jobs, wanted, now);
  return getAll(connection, ids);
}

function expectWaiting(connection: Connection, id: string, wanted: WaitingChange): WaitingRow {
  const job = connection.sql(`SELECT ${WAITING_COLUMNS} FROM jobs WHERE id = ?`).get(id);
  checkState(id, job?.state as JobState | undefined, STATES_FOR[wanted.kind], wanted.kind);
  checkHeld(job as unknown as WaitingRow, wanted);
  return job as unknown as WaitingRow;
}

/** Expects that the state of each job allows the change. */
export function changeWaiting(
  connection: Connection,
  jobs: readonly WaitingRow[],
  wanted: WaitingChange,
  now: number,
): void {
  for (const job of jobs) {
    const { ready, runAt, nextRunAt, held } = placeAfter(job, wanted, now);
    const cells = wanted.kind === 'edit' ? editCells(job, wanted.edit) : [];
    connection
      .sql(`
        UPDATE jobs SET ready = ?, run_at = ?, next_run_at = ?, held = ?, waits_at = NULL, updated_at = ?
          ${cells.map(({ column }) => `, ${column} = ?`).join('')}
        WHERE seq = ?`)
      .run(ready, runAt, nextRunAt, held, now, ...cells.map(({ value }) => value), job.seq);
  }
  if (wanted.kind === 'edit' && wanted.edit.tags !== undefined)
    retag(
      connection,
      jobs.map(({ seq }) => seq),
      wanted.edit.tags,
    );
}
