// Hooks of queues and groups, and the jobs that run them when jobs or groups finish.

import { outcomeOfGroup, type ParentOutcome } from '../../job/flow/dependencies.ts';
import { HOOK_NAMES, type Hooks, hooksIn, hooksText } from '../../job/flow/hooks.ts';
import { FINAL_STATES } from '../../job/job.ts';
import { groupHookJobs, type HookHome, hookJobsOf, LAST_ENDED, type NewHookJob } from '../rows/hook-rows.ts';
import { JOB_COLUMNS, JOBS } from '../sql/job-sql.ts';
import { noCounts } from '../sql/overview.ts';
import { quoted, type Row } from '../rows/rows.ts';
import type { HookStore } from '../store.ts';
import { jobsByQueue } from '../../series/by-queue.ts';
import type { Connection, Session } from './session/connection.ts';
import { groupCounts } from './groups.ts';
import { ALL_COLUMNS, INSERT_FLOW, wholeValues } from './insert-jobs.ts';
import { columnsOf } from './rows.ts';
import { SETTINGS, settingsOf } from './settings.ts';
import { tallyEnqueued } from './tally.ts';

/** Whether the end of a job may be recorded in `endings`, so that the list is worth a look. */
export const MAY_BE_FOLLOWED = `(followed = 1 OR group_name IS NOT NULL OR hooks IS NOT NULL
  OR (SELECT key FROM settings WHERE key IN (${quoted(HOOK_NAMES)}) LIMIT 1) IS NOT NULL
  OR (SELECT q.queue FROM queue_limits q WHERE q.queue = jobs.queue AND q.hooks IS NOT NULL) IS NOT NULL)`;

/** Called in the transaction that removes these endings from the list, so that each hook runs once. Returns the number of jobs. */
export async function addHookJobs(connection: Connection, session: Session, endings: readonly Row[]): Promise<number> {
  const { rows } = await session.sql(`SELECT (${SETTINGS}) AS settings`);
  const home = { place: connection.target.name, stored: settingsOf(rows[0]?.settings) };
  const ofJobs = endings.filter(({ group_name, run }) => group_name === null && run !== null);
  const groups = endings.filter(({ group_name }) => group_name !== null);
  const hooks = [...(await jobsOfJobs(session, ofJobs, home)), ...(await jobsOfGroups(session, groups, home))];
  insertHookJobs(session, await withTheirEnvironments(session, hooks));
  return hooks.length;
}

/** Hook jobs get the time of the endings that they report. */
function insertHookJobs(session: Session, hooks: readonly NewHookJob[]): void {
  for (const same of Map.groupBy(hooks, ({ environmentId, at }) => `${environmentId} ${at}`).values()) {
    const columns = columnsOf(
      same.map(({ job }) => wholeValues(job)),
      ALL_COLUMNS.length,
    );
    session.send(INSERT_FLOW, [...columns, same[0]?.at, same[0]?.environmentId]);
    tallyEnqueued(session, jobsByQueue(same.map(({ job }) => job)), same[0]?.at ?? null);
  }
}

const ENDED = `
  SELECT ${JOB_COLUMNS}, q.hooks AS queue_hooks FROM ${JOBS} LEFT JOIN queue_limits q ON q.queue = j.queue
  WHERE j.seq = ANY($1::bigint[]) AND j.hook_of IS NULL`;

async function jobsOfJobs(session: Session, endings: readonly Row[], home: HookHome): Promise<NewHookJob[]> {
  if (endings.length === 0) return [];
  const { rows } = await session.sql(ENDED, [endings.map(({ job_seq }) => job_seq)]);
  const bySeq = new Map(rows.map((row) => [Number(row.seq), row]));
  return endings.flatMap(({ job_seq, outcome, run }) => {
    const row = bySeq.get(Number(job_seq));
    return row ? hookJobsOf(row, outcome as ParentOutcome, Number(run), home) : [];
  });
}

async function jobsOfGroups(session: Session, endings: readonly Row[], home: HookHome): Promise<NewHookJob[]> {
  const last = new Map(endings.map(({ group_name, number }) => [String(group_name), Number(number)]));
  const jobs: NewHookJob[] = [];
  for (const [name, number] of last) jobs.push(...(await jobsOfGroup(session, name, number, home)));
  return jobs;
}

/** If the list has several endings of a group, only the last one counts, and only once. */
const TAKE_GROUP = `
  UPDATE groups SET hooked_up_to = $2::bigint
  WHERE name = $1::text AND hooks IS NOT NULL AND hooked_up_to < $2::bigint
    AND NOT EXISTS (SELECT 1 FROM endings WHERE group_name = $1::text AND number > $2::bigint) RETURNING hooks`;
const LAST_OF_GROUP = `SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.seq = (${LAST_ENDED('$1::text')})`;

async function jobsOfGroup(session: Session, name: string, number: number, home: HookHome): Promise<NewHookJob[]> {
  const counts = (await groupCounts(session, [name])).get(name) ?? noCounts();
  const outcome = outcomeOfGroup(counts);
  if (outcome === null) return [];
  const [taken] = (await session.sql(TAKE_GROUP, [name, number])).rows;
  if (!taken) return [];
  const [last] = (await session.sql(LAST_OF_GROUP, [name])).rows;
  return last ? groupHookJobs(name, hooksIn(taken.hooks), counts, outcome, number, last, home) : [];
}

const LOCK_ENVIRONMENTS = 'SELECT id FROM environments WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE';

/** Locks the environments against removal. One that is missing was removed with its job. */
async function withTheirEnvironments(session: Session, hooks: readonly NewHookJob[]): Promise<NewHookJob[]> {
  const ids = [...new Set(hooks.flatMap(({ environmentId }) => environmentId ?? []))];
  if (ids.length === 0) return [...hooks];
  const { rows } = await session.sql(LOCK_ENVIRONMENTS, [ids]);
  const there = new Set(rows.map(({ id }) => Number(id)));
  return hooks.map((hook) => (there.has(Number(hook.environmentId)) ? hook : { ...hook, environmentId: null }));
}

const OWED = `
  SELECT * FROM endings WHERE (job_seq = ANY($1::bigint[]) AND run IS NOT NULL AND outcome IN (${quoted(FINAL_STATES)}))
    OR group_name IN (SELECT group_name FROM jobs WHERE seq = ANY($1::bigint[]) AND group_name IS NOT NULL)
  ORDER BY number FOR UPDATE`;
/** An ending without a run owes no hook. The ending stays on the list for the jobs that depend on it. */
const MARK_AS_PAID = 'UPDATE endings SET run = NULL WHERE number = ANY($1::bigint[]) AND run IS NOT NULL';

/** Adds the hook jobs that unprocessed endings of these jobs, and of their groups, still owe. Call it before anything that
 *  removes the jobs or lets them run again: afterwards it is too late to tell how they ended. */
export async function addOwedHookJobs(
  connection: Connection,
  session: Session,
  seqs: readonly number[],
): Promise<void> {
  const { rows } = await session.sql(OWED, [seqs]);
  if (rows.length === 0) return;
  await addHookJobs(connection, session, rows);
  session.send(MARK_AS_PAID, [rows.map(({ number }) => number)]);
}

const SET_FOR_QUEUE = `
  INSERT INTO queue_limits (queue, hooks) VALUES ($1, $2) ON CONFLICT (queue) DO UPDATE SET hooks = excluded.hooks`;
const SET_FOR_GROUP = 'UPDATE groups SET hooks = $2, followed = 1 WHERE name = $1';

export function hooksOf(connection: Connection): HookStore {
  const read = async (sql: string, name: string): Promise<Hooks> =>
    name.includes('\0') ? {} : hooksIn((await connection.query(sql, [name])).rows[0]?.hooks);
  const set = (sql: string, name: string, hooks: Hooks): Promise<boolean> =>
    connection.write(async (session) => (await session.sql(sql, [name, hooksText(hooks)])).count > 0, {
      isRepeatable: true,
    });
  return {
    ofQueue: (queue) => read('SELECT hooks FROM queue_limits WHERE queue = $1', queue),
    setForQueue: async (queue, hooks) => void (await set(SET_FOR_QUEUE, queue, hooks)),
    ofGroup: (name) => read('SELECT hooks FROM groups WHERE name = $1', name),
    setForGroup: (name, hooks) => set(SET_FOR_GROUP, name, hooks),
  };
}
