// Hook jobs for outcomes, and the hooks of queues and groups.

import { outcomeOfGroup, type ParentOutcome } from '../../job/flow/dependencies.ts';
import { type Hooks, hooksIn, hooksText } from '../../job/flow/hooks.ts';
import { FIRST_STATE } from '../../job/fresh-job.ts';
import { groupHookJobs, type HookHome, hookJobsOf, LAST_ENDED, type NewHookJob } from '../rows/hook-rows.ts';
import { JOB_COLUMNS, JOBS } from '../sql/job-sql.ts';
import { flowValues, newJobValues } from '../rows/new-job-rows.ts';
import { quoted, type Row } from '../rows/rows.ts';
import type { HookStore } from '../store.ts';
import { FINAL_STATES } from '../../job/job.ts';
import type { Connection } from './connection.ts';
import { groupCounts } from './groups.ts';
import { ALL_COLUMNS, placesFor } from './insert-jobs.ts';
import { readSettings } from './settings.ts';
import { tallyEnqueued } from './tally.ts';

/** Runs in the transaction that removes the outcome from the list, so that each hook runs once. */
export function addHookJobs(connection: Connection, ending: Row): void {
  const jobs = ending.group_name === null ? ofJob(connection, ending) : ofGroup(connection, ending);
  for (const job of jobs) insertHookJob(connection, job);
}

const INSERT = `
  INSERT INTO jobs (${ALL_COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  VALUES (${placesFor(ALL_COLUMNS)}, ?, '${FIRST_STATE}', 1, ?, ?, ?)`;

/** A hook job has the time of the ending that it reports. */
function insertHookJob(connection: Connection, { job, environmentId, at }: NewHookJob): void {
  connection.sql(INSERT).run(...newJobValues(job), ...flowValues(job), environmentId, at, at, at);
  tallyEnqueued(connection, new Map([[job.queue, 1]]), at);
}

const ENDED = `
  SELECT ${JOB_COLUMNS}, q.hooks AS queue_hooks FROM ${JOBS} LEFT JOIN queue_limits q ON q.queue = j.queue
  WHERE j.seq = ? AND j.hook_of IS NULL`;

function ofJob(connection: Connection, { job_seq, outcome, run }: Row): NewHookJob[] {
  if (run === null) return [];
  const row = connection.sql(ENDED).get(Number(job_seq)) as Row | undefined;
  return row ? hookJobsOf(row, outcome as ParentOutcome, Number(run), homeOf(connection)) : [];
}

/** If the list has several endings of a group, only the last one counts, and only once. */
const TAKE_GROUP = `
  UPDATE groups SET hooked_up_to = $number
  WHERE name = $name AND hooks IS NOT NULL AND hooked_up_to < $number
    AND NOT EXISTS (SELECT 1 FROM endings WHERE group_name = $name AND number > $number) RETURNING hooks`;

function ofGroup(connection: Connection, { group_name, number }: Row): NewHookJob[] {
  const [name, run] = [String(group_name), Number(number)];
  const counts = groupCounts(connection, name);
  const outcome = outcomeOfGroup(counts);
  if (outcome === null) return [];
  const taken = connection.sql(TAKE_GROUP).get({ $name: name, $number: run });
  const last = connection
    .sql(`SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.seq = (${LAST_ENDED('$name')})`)
    .get({ $name: name }) as Row | undefined;
  if (!taken || !last) return [];
  return groupHookJobs(name, hooksIn(taken.hooks), counts, outcome, run, last, homeOf(connection));
}

const homeOf = (connection: Connection): HookHome => ({
  place: connection.path,
  stored: readSettings(connection),
});

const OWED = `
  SELECT * FROM endings WHERE run IS NOT NULL AND outcome IN (${quoted(FINAL_STATES)})
    AND job_seq IN (SELECT value FROM json_each($seqs))
  UNION ALL
  SELECT * FROM endings WHERE number IN (
    SELECT max(number) FROM endings WHERE group_name IN (
      SELECT group_name FROM jobs WHERE seq IN (SELECT value FROM json_each($seqs))) GROUP BY group_name)
  ORDER BY number`;
/** An ending without a run owes no hook. The ending stays on the list for the jobs that depend on it. */
const MARK_AS_PAID = 'UPDATE endings SET run = NULL WHERE number = ?';

/**
 * Adds the hook jobs that unprocessed endings of these jobs and of their groups still owe. Call it before deleting jobs
 * or running them again, because their outcomes are lost afterwards.
 */
export function addOwedHookJobs(connection: Connection, seqs: readonly number[]): void {
  if (connection.sql('SELECT number FROM endings LIMIT 1').get() === undefined) return;
  const endings = connection.sql(OWED).all({ $seqs: JSON.stringify(seqs) }) as Row[];
  for (const ending of endings) {
    addHookJobs(connection, ending);
    connection.sql(MARK_AS_PAID).run(Number(ending.number));
  }
}

const SET_FOR_QUEUE = `
  INSERT INTO queue_limits (queue, hooks) VALUES ($queue, $hooks) ON CONFLICT DO UPDATE SET hooks = excluded.hooks`;
const SET_FOR_GROUP = 'UPDATE groups SET hooks = ?, followed = 1 WHERE name = ?';

export function hooksOf(connection: Connection): HookStore {
  const read = (sql: string, name: string): Promise<Hooks> =>
    connection.read(() => hooksIn(connection.sql(sql).get(name)?.hooks));
  return {
    ofQueue: (queue) => read('SELECT hooks FROM queue_limits WHERE queue = ?', queue),
    setForQueue: (queue, hooks) =>
      connection.write(() => {
        connection.sql(SET_FOR_QUEUE).run({ $queue: queue, $hooks: hooksText(hooks) });
      }),
    ofGroup: (name) => read('SELECT hooks FROM groups WHERE name = ?', name),
    setForGroup: (name, hooks) =>
      connection.write(() => connection.sql(SET_FOR_GROUP).run(hooksText(hooks), name).changes > 0),
  };
}
