// Moving a queue to another place: jobs with their attempts and output, the settings, users, tokens and secrets. The source stays as it
// is; who is logged in to it and who did what there stays with it.
// Jobs go in batches, in their order, each batch whole: what is there already is the first part of the source, so a
// move that was interrupted goes on where it was when it is asked for again.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import { movedFrom, relocated } from '../output/relocate.ts';
import type { Queue } from './queue.ts';
import { randomBytes } from '../system/random.ts';
import type { CopiedJob, CopiedTables, Hold, Overview } from '../store/store.ts';
import { rescuerOf } from '../worker/crew.ts';
import { logPathsFor } from '../worker/control/paths.ts';

const BATCH = 500;
/** Ends that were not passed on yet are passed on before the move, as they are not moved themselves. */
const ADVANCE = 500;
const LOOK_AGAIN_MS = 100;
const STDINS_AT_ONCE_BYTES = 32 * 1024 * 1024;

export interface Moved {
  /** In this run. */
  readonly jobs: number;
  readonly attempts: number;
  readonly settings: number;
  readonly schedules: number;
  readonly secrets: number;
  readonly users: number;
  readonly tokens: number;
  /** Jobs that an earlier run has moved. */
  readonly alreadyThere: number;
}

export interface MoveProgress {
  readonly done: number;
  readonly total: number;
  /** Workers that are taken for dead and may yet prove it wrong, until their lease is over. */
  readonly waitingFor: number;
}

/** No worker can start on either queue from before the check that there is none until the move is over. */
export async function moveQueue(
  source: Queue,
  target: Queue,
  progress: (progress: MoveProgress) => void,
): Promise<Moved> {
  const holds: Held[] = [];
  try {
    for (const queue of [source, target]) {
      holds.push({ queue, hold: await queue.store.hold() });
      await untilNobodyWorks(queue, (waitingFor) => progress({ done: 0, total: 0, waitingFor }));
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
  const there = await partThatIsThere(source, target);
  await expectNoOtherSchedules(source, target);
  const total = jobsIn(await source.overview());
  const between = async (done: number): Promise<void> => {
    progress({ done, total, waitingFor: 0 });
    await expectHeld(holds);
  };
  const moved = await moveJobs(source, target, there, between);
  await target.store.copyTablesIn(withEndsCountedAnew(await source.store.copyTablesOut()));
  await target.store.series.replace(await source.store.series.all());
  const settings = await moveSettings(source, target);
  const accounts = await moveAccounts(source, target);
  const secrets = await (await source.secrets()).copyTo(await target.secrets());
  await verify(source, target);
  await expectHeld(holds);
  const schedules = (await source.store.schedules.all()).length;
  return { ...moved, ...accounts, settings, schedules, secrets, alreadyThere: there.jobs };
}

/** A hold that was lost, as with the connection to a server, may have let a worker in. */
async function expectHeld(holds: readonly Held[]): Promise<void> {
  for (const { queue, hold } of holds) {
    if (await hold.isHeld()) continue;
    const problem = `the lock on '${queue.place.name}' was lost, so a worker may have started there`;
    throw new QueueError('move_incomplete', { problem });
  }
}

/** What dead workers held is put back first, as their leases mean nothing in another place. */
async function untilNobodyWorks(queue: Queue, waiting: (workers: number) => void): Promise<void> {
  const settings = await queue.settings();
  const rescue = rescuerOf(queue, () => settings);
  for (;;) {
    await rescue.runOnce();
    const workers = await queue.workers();
    const alive = workers.filter(({ state }) => state !== 'lost');
    if (alive.length > 0) throw inTheWay(queue, alive.length);
    if (workers.length === 0) return;
    waiting(workers.length);
    await sleep(LOOK_AGAIN_MS);
  }
}

function inTheWay({ place, store }: Queue, workers: number): QueueError {
  return new QueueError('workers_running', {
    count: `${workers} worker${workers === 1 ? '' : 's'} of '${place.name}'`,
    action: 'migrate',
    options: `--db '${place.name}' `,
    all: store.spansHosts ? ' --all-hosts' : '',
  });
}

/** Up to which end the hooks of a group were called for is counted by each store from its own beginning. */
const withEndsCountedAnew = (tables: CopiedTables): CopiedTables => ({
  ...tables,
  groups: (tables.groups ?? []).map((group) => ({ ...group, hooked_up_to: 0 })),
});

interface Part {
  readonly jobs: number;
  readonly lastSeq: number;
}

/** The target is empty, or holds what an earlier run has moved and nothing else. */
async function partThatIsThere(source: Queue, target: Queue): Promise<Part> {
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

/** Those of the source take the place of those that are there, which are its own if this is not the first try. */
async function expectNoOtherSchedules(source: Queue, target: Queue): Promise<void> {
  const own = new Set((await source.store.schedules.all()).map(({ name }) => name));
  const strange = (await target.store.schedules.all()).find(({ name }) => !own.has(name));
  if (strange) throw notEmpty(target, `the schedule ${strange.name}`);
}

/** Where its logs are is another matter. */
const isSame = (a: CopiedJob, b: CopiedJob | undefined): boolean =>
  isDeepStrictEqual(comparable(a), b && comparable(b));

/** Plain objects: the rows of SQLite have no prototype, which would make them differ from equal rows of PostgreSQL. */
const comparable = ({ job, environment, attempts, rows }: CopiedJob) => ({
  job: { ...job },
  environment,
  attempts: attempts.map(({ cells }) => ({ ...cells, log_path: null, output: null })),
  rows: Object.fromEntries(
    Object.entries(rows).map(([table, cells]) => [table, cells.map((row) => ({ ...row }))]),
  ),
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
  const logPath = logPathsFor(target.place, newJobId(randomBytes)); // no worker has it
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

/** So few at a time that what they are given to read fits into memory. */
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

/** Read when its turn comes: of many jobs it may not fit into memory. */
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

/** What the source says wins; what only the target says stays. */
async function moveSettings(source: Queue, target: Queue): Promise<number> {
  const settings = Object.entries(await source.store.settings());
  for (const [key, value] of settings) await target.store.saveSetting(key, value);
  return settings.length;
}

/** What the source says wins; what only the target says stays. */
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

/** How many there are of what. */
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
