// The jobs that ends call for, and the hooks that queues and groups have.

import { outcomeOfGroup, type ParentOutcome } from '../../job/dependencies.ts';
import { type Hooks, hooksIn, hooksText } from '../../job/hooks.ts';
import { groupHookJobs, type HookHome, hookJobsOf, LAST_ENDED, type NewHookJob } from '../hook-rows.ts';
import { JOB_COLUMNS, JOBS } from '../job-sql.ts';
import { quoted, type Row } from '../rows.ts';
import type { HookStore } from '../store.ts';
import { FINAL_STATES } from '../../job/job.ts';
import type { Connection } from './connection.ts';
import { insertHookJob } from './enqueue.ts';
import { groupCounts } from './groups.ts';
import { readSettings } from './settings.ts';

/** Within the transaction that takes this end off the list, so that each hook is called for once. */
export function addHookJobs(connection: Connection, ending: Row): void {
  const jobs = ending.group_name === null ? ofJob(connection, ending) : ofGroup(connection, ending);
  for (const job of jobs) insertHookJob(connection, job);
}

const ENDED = `
  SELECT ${JOB_COLUMNS}, q.hooks AS queue_hooks FROM ${JOBS} LEFT JOIN queue_limits q ON q.queue = j.queue
  WHERE j.seq = ? AND j.hook_of IS NULL`;

function ofJob(connection: Connection, { job_seq, outcome, run }: Row): NewHookJob[] {
  const row = connection.sql(ENDED).get(Number(job_seq)) as Row | undefined;
  return row ? hookJobsOf(row, outcome as ParentOutcome, Number(run), homeOf(connection)) : [];
}

/** If several ends of a group are on the list, only the last one counts, and only once. */
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

const UNTOLD = `
  SELECT * FROM endings WHERE outcome IN (${quoted(FINAL_STATES)})
    AND job_seq IN (SELECT value FROM json_each(?)) ORDER BY number`;

/** Before jobs are removed: what their ends call for, and nobody has seen to yet. */
export function addHookJobsOf(connection: Connection, seqs: readonly number[]): void {
  const endings = connection.sql(UNTOLD).all(JSON.stringify(seqs)) as Row[];
  for (const ending of endings) addHookJobs(connection, ending);
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
