// Running a part of a workflow again: some jobs start now, and others are blocked again.

import { TRANSITIONS } from '../../job/lifecycle.ts';
import type { Rerun } from '../../job/flow/rerun.ts';
import { BLOCKABLE_STATES, RETRYABLE_STATES } from '../../job/state-sets.ts';
import { expect, retrySeqs } from './change.ts';
import type { Connection } from './connection.ts';
import { rejectCycles } from './dependencies.ts';
import { addOwedHookJobs } from './hooks.ts';

const BLOCK = `
  UPDATE jobs SET state = '${TRANSITIONS.block.to}', ready = 0, waits_at = NULL, attempts = 0, interruptions_in_row = 0, snoozes = 0,
    next_run_at = NULL, finished_at = NULL, updated_at = $now
  WHERE seq IN (SELECT value FROM json_each($seqs))`;
const RELEASE = 'UPDATE jobs SET held = NULL WHERE id IN (SELECT value FROM json_each(?))';
const FORGET_OUTCOMES = `
  UPDATE dependencies SET outcome = NULL WHERE job_seq IN (SELECT value FROM json_each($blocked)) AND (
    (kind = 'job' AND parent_seq IN (SELECT value FROM json_each($all)))
    OR (kind = 'group' AND parent IN (
      SELECT group_name FROM jobs WHERE seq IN (SELECT value FROM json_each($all)) AND group_name IS NOT NULL)))`;

export function rerun(connection: Connection, { retry, block, release }: Rerun, now: number): void {
  const retried = retry.map((id) => expect(connection, id, RETRYABLE_STATES, 'retry').seq);
  const blocked = block.map((id) => expect(connection, id, BLOCKABLE_STATES, 'retry').seq);
  const all = JSON.stringify([...retried, ...blocked]);
  addOwedHookJobs(connection, [...retried, ...blocked]);
  retrySeqs(connection, retried, now);
  connection.sql(BLOCK).run({ $now: now, $seqs: JSON.stringify(blocked) });
  connection.sql(RELEASE).run(JSON.stringify(release));
  connection.sql(FORGET_OUTCOMES).run({ $blocked: JSON.stringify(blocked), $all: all });
  rejectCycles(connection, blocked);
  connection.sql('DELETE FROM endings WHERE job_seq IN (SELECT value FROM json_each(?))').run(all);
}
