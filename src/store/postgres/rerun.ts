// Runs a part of a workflow again: some jobs start now, and others depend on them again. Endings that were not processed yet are
// locked before the jobs, as in advance().

import { checkState } from '../../job/check-state.ts';
import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import type { Rerun } from '../../job/flow/rerun.ts';
import { BLOCKABLE_STATES, RETRYABLE_STATES } from '../../job/state-sets.ts';
import { retrySeqs } from './change.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { rejectCycles, serialiseCycleChecks } from './dependencies.ts';
import { addOwedHookJobs } from './hooks.ts';
import { now } from './rows.ts';
import { wakeWorkers } from './wake.ts';

const LOCK_ENDINGS = `
  SELECT number FROM endings WHERE job_seq IN (SELECT seq FROM jobs WHERE id = ANY($1::text[]))
  ORDER BY number FOR UPDATE`;
const FORGET_ENDINGS = 'DELETE FROM endings WHERE job_seq = ANY($1::bigint[])';
const LOCK = 'SELECT seq, id, state FROM jobs WHERE id = ANY($1::text[]) ORDER BY seq FOR UPDATE';
const BLOCK = `
  UPDATE jobs SET state = '${TRANSITIONS.block.to}', ready = 0, waits_at = NULL, attempts = 0, interruptions_in_row = 0, snoozes = 0,
    next_run_at = NULL, finished_at = NULL, updated_at = ${now('$1')}
  WHERE seq = ANY($2::bigint[])`;
const RELEASE = 'UPDATE jobs SET held = NULL WHERE id = ANY($1::text[])';
const FORGET_OUTCOMES = `
  UPDATE dependencies SET outcome = NULL WHERE job_seq = ANY($1::bigint[]) AND (
    (kind = 'job' AND parent_seq = ANY($2::bigint[]))
    OR (kind = 'group' AND parent IN (
      SELECT group_name FROM jobs WHERE seq = ANY($2::bigint[]) AND group_name IS NOT NULL)))`;

export function rerun(connection: Connection, { retry, block, release }: Rerun): Promise<void> {
  return connection.write(
    async (session) => {
      if (block.length > 0) serialiseCycleChecks(connection, session);
      const jobs = await lock(session, [...retry, ...block]);
      const retried = seqsOf(jobs, retry, RETRYABLE_STATES);
      const blocked = seqsOf(jobs, block, BLOCKABLE_STATES);
      const all = [...retried, ...blocked];
      await addOwedHookJobs(connection, session, all);
      await session.sql(FORGET_ENDINGS, [all]);
      await retrySeqs(connection, session, retried);
      await session.sql(BLOCK, [connection.givenNow, blocked]);
      await session.sql(RELEASE, [release]);
      await session.sql(FORGET_OUTCOMES, [blocked, all]);
      await rejectCycles(session, blocked);
      wakeWorkers(connection, session);
    },
    { withinMs: LONG_MS },
  );
}

interface Locked {
  readonly seq: number;
  readonly state: JobState;
}

async function lock(session: Session, ids: readonly string[]): Promise<Map<string, Locked>> {
  await session.sql(LOCK_ENDINGS, [ids]);
  const { rows } = await session.sql(LOCK, [ids]);
  return new Map(rows.map((row) => [String(row.id), { seq: Number(row.seq), state: row.state as JobState }]));
}

function seqsOf(jobs: ReadonlyMap<string, Locked>, ids: readonly string[], allowed: readonly JobState[]): number[] {
  return ids.map((id) => {
    const job = jobs.get(id);
    checkState(id, job?.state, allowed, 'retry');
    return job?.seq ?? 0;
  });
}
