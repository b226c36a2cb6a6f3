// Moves a queue to another database: jobs with attempts and output, settings, users, tokens and secrets. The source
// stays unchanged; login sessions and the audit log are not moved. Jobs are moved in order, in atomic batches. The
// target always holds a prefix of the source, so an interrupted move can be resumed.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import { movedFrom, relocated } from '../output/relocate.ts';
import type { Queue } from './queue.ts';
import { randomBytes } from '../system/random.ts';
import type { CopiedJob, CopiedTables, Hold, Overview } from '../store/store.ts';
import { rescuerOf } from '../worker/start-worker.ts';
import { logPathsFor } from '../worker/control/paths.ts';

const BATCH = 500;
/** Pending endings are processed before the move, because they are not moved themselves. */
const ADVANCE = 500;
const LOOK_AGAIN_MS = 100;
const STDINS_AT_ONCE_BYTES = 32 * 1024 * 1024;

export interface Moved {
  /** Counts of this run. */
  readonly jobs: number;
  readonly attempts: number;
  readonly settings: number;
  readonly schedules: number;
  readonly secrets: number;
  readonly users: number;
  readonly tokens: number;
  /** Jobs moved by an earlier run. */
  readonly alreadyThere: number;
}

export interface MoveProgress {
  readonly done: number;
  readonly total: number;
  /** Number of apparently lost workers whose lease has not expired yet. */
  readonly waitingFor: number;
}

/** Prevents workers from starting on either queue from the check until the move is finished. */
export async function moveQueue(
  source: Queue,
  target: Queue,
  progress: (progress: MoveProgress) => void,
): Promise<Moved> {
  const holds: Held[] = [];
  try {
    for (const queue of [source, target]) {
      holds.push({ queue, hold: await queue.store.hold() });
      await untilNoWorkers(queue, (waitingFor) => progress({ done: 0, total: 0, waitingFor }));
    }
    return await moveHeld(source, target, holds, progress);
  } finally {
    for (const { hold } of holds) await hold.release();
  }
}

interface Held {
  readonly queue: Queue;
  readonly hold: Hold;
}

async function moveHeld(
  source: Queue,
  target: Queue,
  holds: readonly Held[],
  progress: (progress: MoveProgress) => void,
): Promise<Moved> {
  while ((await source.store.dependencies.advance(ADVANCE)).more);
  const there = await movedPart(source, target);
  await expectNoOtherSchedules(source, target);
  const total = jobsIn(await source.overview());
  const between = async (done: number): Promise<void> => {
    progress({ done, total, waitingFor: 0 });
    await expectHeld(holds);
  };
  const moved = await moveJobs(source, target, there, between);
  await target.store.copyTablesIn(withHookPositionsReset(await source.store.copyTablesOut()));
  await target.store.series.replace(await source.store.series.all());
  const settings = await moveSettings(source, target);
  const accounts = await moveAccounts(source, target);
  const secrets = await (await source.secrets()).copyTo(await target.secrets());
  await verify(source, target);
  await expectHeld(holds);
  const schedules = (await source.store.schedules.all()).length;
  return { ...moved, ...accounts, settings, schedules, secrets, alreadyThere: there.jobs };
}

/** A lost lock, for example after a lost server connection, may have let a worker start. */
async function expectHeld(holds: readonly Held[]): Promise<void> {
  for (const { queue, hold } of holds) {
    if (await hold.isHeld()) continue;
    const problem = `the lock on '${queue.place.name}' was lost, so a worker may have started there`;
    throw new QueueError('move_incomplete', { problem });
  }
}

/** Requeues jobs of lost workers first, because their leases are meaningless in another database. */
async function untilNoWorkers(queue: Queue, waiting: (workers: number) => void): Promise<void> {
  const settings = await queue.settings();
  const rescue = rescuerOf(queue, () => settings);
  for (;;) {
    await rescue.runOnce();
    const workers = await queue.workers();
    const alive = workers.filter(({ state }) => state !== 'lost');
    if (alive.length > 0) throw workersRunning(queue, alive.length);
    if (workers.length === 0) return;
    waiting(workers.length);
    await sleep(LOOK_AGAIN_MS);
  }
}

function workersRunning({ place, store }: Queue, workers: number): QueueError {
  return new QueueError('workers_running', {
    count: `${workers} worker${workers === 1 ? '' : 's'} of '${place.name}'`,
    action: 'migrate',
    options: `--db '${place.name}' `,
    all: store.spansHosts ? ' --all-hosts' : '',
  });
}

/** Each store numbers group endings from its own start, so the position up to which hooks were called is reset. */
const withHookPositionsReset = (tables: CopiedTables): CopiedTables => ({
  ...tables,
  groups: (tables.groups ?? []).map((group) => ({ ...group, hooked_up_to: 0 })),
});

interface Part {
  readonly jobs: number;
  readonly lastSeq: number;
}

/** The target must be empty, or hold only jobs moved by an earlier run. */
async function movedPart(source: Queue, target: Queue): Promise<Part> {
  let part: Part = { jobs: 0, lastSeq: 0 };
  for (;;) {
    const found = await target.store.copyOut(part.lastSeq, BATCH);
    if (found.length === 0) return part;
    const expected = await source.store.copyOut(part.lastSeq, found.length);
    const strange = found.find((job, i) => !isSame(job, expected[i]));
    if (strange) throw notEmpty(target, strange.job.id);
    part = { jobs: part.jobs + found.length, lastSeq: lastSeqOf(found) };
  }
}

/** Schedules of the source replace those of the target, which must come from an earlier run. */
async function expectNoOtherSchedules(source: Queue, target: Queue): Promise<void> {
  const own = new Set((await source.store.schedules.all()).map(({ name }) => name));
  const strange = (await target.store.schedules.all()).find(({ name }) => !own.has(name));
  if (strange) throw notEmpty(target, `the schedule ${strange.name}`);
}

/** Ignores log paths, which differ between queues. */
const isSame = (a: CopiedJob, b: CopiedJob | undefined): boolean =>
  isDeepStrictEqual(comparable(a), b && comparable(b));

/** Converts to plain objects: SQLite rows have no prototype and would never equal PostgreSQL rows. */
const comparable = ({ job, environment, attempts, rows }: CopiedJob) => ({
  job: { ...job },
  environment,
  attempts: attempts.map(({ cells }) => ({ ...cells, log_path: null, output: null })),
  rows: Object.fromEntries(Object.entries(rows).map(([table, cells]) => [table, cells.map((row) => ({ ...row }))])),
});

const lastSeqOf = (jobs: readonly CopiedJob[]): number => Number(jobs.at(-1)?.job.seq);

const notEmpty = ({ place }: Queue, id: unknown): QueueError =>
  new QueueError('target_not_empty', { path: place.name, id: String(id) });

async function moveJobs(
  source: Queue,
  target: Queue,
  there: Part,
  between: (done: number) => Promise<void>,
): Promise<Pick<Moved, 'jobs' | 'attempts'>> {
  const moved = { jobs: 0, attempts: 0 };
  const logPath = logPathsFor(target.place, newJobId(randomBytes)); // no worker has this ID
  for (let after = there.lastSeq; ; ) {
    const batch = await source.store.copyOut(after, BATCH);
    if (batch.length === 0) return moved;
    const jobs: CopiedJob[] = [];
    for (const job of batch)
      jobs.push({
        ...(await relocated(target, job, movedFrom(source), logPath)),
        stdin: stdinOf(source, job),
      });
    for (const part of partsOf(jobs)) await put(target, part);
    after = lastSeqOf(batch);
    moved.jobs += batch.length;
    moved.attempts += batch.reduce((sum, { attempts }) => sum + attempts.length, 0);
    await between(there.jobs + moved.jobs);
  }
}

/** Batches small enough that the standard inputs fit into memory. */
function partsOf(jobs: readonly CopiedJob[]): CopiedJob[][] {
  const parts: CopiedJob[][] = [[]];
  let bytes = 0;
  for (const job of jobs) {
    bytes += Number(job.job.stdin_bytes ?? 0);
    if (bytes > STDINS_AT_ONCE_BYTES) {
      parts.push([]);
      bytes = Number(job.job.stdin_bytes ?? 0);
    }
    parts.at(-1)?.push(job);
  }
  return parts.filter((part) => part.length > 0);
}

/** Read on demand, because the inputs of many jobs may not fit into memory. */
const stdinOf = ({ store }: Queue, { job }: CopiedJob): CopiedJob['stdin'] =>
  job.stdin_bytes === null ? undefined : () => store.stdinOf(Number(job.seq));

async function put(target: Queue, jobs: readonly CopiedJob[]): Promise<void> {
  try {
    await target.store.copyIn(jobs);
  } catch (error) {
    if (error instanceof QueueError && error.code === 'job_exists') throw notEmpty(target, error.details.id);
    throw error;
  }
}

/** Values of the source win; values that only the target has stay. */
async function moveSettings(source: Queue, target: Queue): Promise<number> {
  const settings = Object.entries(await source.store.settings());
  for (const [key, value] of settings) await target.store.saveSetting(key, value);
  return settings.length;
}

/** Accounts of the source win; accounts that only the target has stay. */
async function moveAccounts(source: Queue, target: Queue): Promise<Pick<Moved, 'users' | 'tokens'>> {
  const [from, to] = [source.store.accounts, target.store.accounts];
  const [users, tokens] = [await from.users(), await from.tokens()];
  for (const user of users) {
    await to.removeUser(user.name);
    await to.addUser(user);
  }
  for (const token of tokens) {
    await to.removeToken(token.id);
    await to.addToken(token);
  }
  return { users: users.length, tokens: tokens.length };
}

async function verify(source: Queue, target: Queue): Promise<void> {
  const [expected, found] = [await censusOf(source), await censusOf(target)];
  const different = [...new Set([...expected.keys(), ...found.keys()])].find(
    (what) => expected.get(what) !== found.get(what),
  );
  if (different !== undefined) {
    const [there, here] = [expected.get(different) ?? 0, found.get(different) ?? 0];
    const problem = `${there} ${different} in '${source.place.name}', ${here} in '${target.place.name}'`;
    throw new QueueError('move_incomplete', { problem });
  }
  const [trouble] = await target.store.check();
  if (trouble !== undefined) throw new QueueError('move_incomplete', { problem: trouble });
}

/** Counts records by kind. */
async function censusOf({ store }: Queue): Promise<Map<string, number>> {
  const { queues } = await store.overview();
  const counts = queues.flatMap(({ queue, counts }) =>
    Object.entries(counts).map(([state, n]): [string, number] => [`${state} jobs of queue ${queue}`, n]),
  );
  const { attempts } = await store.figures();
  const schedules = (await store.schedules.all()).length;
  const others: [string, number][] = [
    ['attempts', attempts],
    ['schedules', schedules],
  ];
  return new Map([...counts, ...others].filter(([, n]) => n > 0));
}

const jobsIn = ({ queues }: Overview): number =>
  queues.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
