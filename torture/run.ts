// npm run torture -- --minutes M --seed S [--db embedded | postgres://...] [--actions plain]: random faults against a
// real queue with real workers, followed by a verdict. Without --db the queue is a file; 'embedded' is a server that
// may be restarted.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NON_FINAL_STATES } from '../src/job/job.ts';
import type { Queue } from '../src/queue/queue.ts';
import { unclaimedJobs } from '../src/report/waiting/unclaimed.ts';
import { waitsFor } from '../src/report/waiting/waiting.ts';
import { stopWorkers } from '../src/worker/control/stop.ts';
import type { Arena } from './arena.ts';
import { type Arguments, argumentsFrom, USAGE } from './arguments.ts';
import { Chance } from './chance.ts';
import { EVERY_QUEUE } from '../src/job/flow/concurrency.ts';
import type { JobFilter } from '../src/store/store.ts';
import { PARKED } from './actions/changes.ts';
import { TOO_HEAVY } from './actions/heavy.ts';
import { limitQueues } from './actions/limits.ts';
import { SNOOZING } from './actions/special.ts';
import { PostgresArena } from './postgres.ts';
import { SqliteArena } from './sqlite.ts';
import { type ActionKind, performAction } from './users.ts';
import { judge, type Verdict } from './verdict.ts';

export interface Report extends Verdict {
  readonly seed: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly actions: number;
  readonly rejections: Readonly<Record<string, number>>;
  /** Location of the kept queue and logs; '' if there was no problem. */
  readonly kept: string;
}

const TORMENTORS = 3;
const USERS = 6;
/** If no further job finishes within this time, something is stuck. */
const STUCK_AFTER_MS = 90_000;
/** Number of problems to print with evidence; a file has all of them. */
const SHOWN_PROBLEMS = 3;

export async function torture(
  seconds: number,
  seed: number,
  say: (line: string) => void,
  db?: string,
  actions: ActionKind = 'all',
): Promise<Report> {
  const arena = await arenaFor(db, seconds / 60);
  let isWell = false;
  try {
    const queue = await arena.openQueue();
    for (const [key, value] of Object.entries(arena.settings)) await queue.setSetting(key, value);
    await limitQueues(queue);
    const given = await torment(arena, new Chance(seed), performance.now() + seconds * 1000, say, actions);
    await calm(arena, queue, say);
    const verdict = await judge(arena, queue);
    await queue.close();
    isWell = verdict.problems.length === 0;
    if (!isWell) writeFileSync(join(arena.folder, 'evidence.txt'), evidenceText(verdict, Number.POSITIVE_INFINITY));
    return { seed, ...given, ...verdict, kept: isWell ? '' : arena.whereabouts };
  } catch (error) {
    throw new Error(`torture broke off: see ${arena.whereabouts}`, { cause: error });
  } finally {
    await arena.dismiss();
    await arena.remove(!isWell);
  }
}

async function arenaFor(db: string | undefined, minutes: number): Promise<Arena> {
  if (db === undefined) return new SqliteArena(minutes);
  return db === 'embedded' ? PostgresArena.withServer() : new PostgresArena(db, null);
}

type Given = Pick<Report, 'faults' | 'actions' | 'rejections'>;

/** Runs three sources of faults and six users at a time, each with randomness derived from the seed. */
async function torment(
  arena: Arena,
  chance: Chance,
  until: number,
  say: (line: string) => void,
  kind: ActionKind,
): Promise<Given> {
  const faults: Record<string, number> = {};
  const rejections: Record<string, number> = {};
  let actions = 0;
  const unseen = chance.shuffled(new Set(arena.menu)); // each kind of fault once, so that short runs include all
  const tormentor = async (own: Chance): Promise<void> => {
    while (performance.now() < until) {
      await arena.muster();
      const name = unseen.pop() ?? (own.pick(arena.menu) as string);
      faults[name] = (faults[name] ?? 0) + 1;
      say(`${Math.max(0, Math.round((until - performance.now()) / 1000))} s left, ${actions} actions, now: ${name}`);
      await arena.diary.record(name, (note) => arena.faults[name]?.(own, note));
      await sleep(own.between(50, 1500));
    }
  };
  const user = async (own: Chance): Promise<void> => {
    while (performance.now() < until) {
      const rejection = await performAction(arena, own, kind);
      actions++;
      if (rejection) rejections[rejection] = (rejections[rejection] ?? 0) + 1;
      await sleep(own.between(5, 300));
    }
  };
  const seeded = (): Chance => new Chance(chance.integer(0, 2 ** 31));
  await Promise.all([
    ...Array.from({ length: TORMENTORS }, seeded).map(tormentor),
    ...Array.from({ length: USERS }, seeded).map(user),
  ]);
  return { faults, rejections, actions };
}

/**
 * After the faults, everything must finish by itself: first ready jobs, while others are paused or too heavy for every
 * worker, then these as well.
 */
async function calm(arena: Arena, queue: Queue, say: (line: string) => void): Promise<void> {
  await queue.unsetSetting('max_concurrent_jobs');
  for (const { queue: name } of await queue.queues.limits()) if (name !== PARKED) await queue.queues.resume(name);
  await queue.queues.resume(EVERY_QUEUE);
  await endSchedules(arena, queue);
  // A snooze until a time from a wrong clock looks like one that its job requested.
  if (arena.clockChanges.length > 0) await queue.changeAll({ id: SNOOZING }, { kind: 'run-now' });
  const claimable = async (): Promise<readonly string[]> => {
    const waiting = await unfinished(queue, {});
    const stuck = new Set([
      ...(await unfinished(queue, { queue: PARKED })),
      ...(await unfinished(queue, { tag: TOO_HEAVY })),
    ]);
    return waiting.filter((id) => !stuck.has(id));
  };
  const stuck = await untilFinished(arena, queue, claimable, say);
  for (const id of stuck) await complainOf(arena, queue, id);
  // What is left is too heavy or in a paused queue. Whatever the watchdog of doctor finds among it, it should not.
  for (const id of await unclaimedJobs(queue)) if (!stuck.includes(id)) await complainOf(arena, queue, id);
  await queue.changeAll({ tag: TOO_HEAVY }, { kind: 'cancel' });
  await queue.queues.resume(PARKED);
  await untilFinished(arena, queue, () => unfinished(queue, {}), say);
  await arena.stopWebServer();
  const ids = (await queue.workers()).map(({ id }) => id);
  const deadline = performance.now() + STUCK_AFTER_MS;
  await stopWorkers(queue, ids, 'graceful', () => performance.now() < deadline);
}

async function complainOf(arena: Arena, queue: Queue, id: string): Promise<void> {
  const job = await queue.get(id);
  const waits = job ? await waitsFor(queue, job) : [];
  const why = waits.map(({ message }) => message).join('; ');
  const what = `job ${id} can be claimed, and no worker claims it (why: ${why})`;
  arena.problems.push({ what, jobId: id, at: Date.now() });
}

const unfinished = (queue: Queue, filter: JobFilter): Promise<string[]> =>
  queue.idsOf({ ...filter, states: NON_FINAL_STATES, sort: 'created', descending: false, limit: null });

/** Waits as long as the number of jobs decreases. Returns the stuck jobs. */
async function untilFinished(
  arena: Arena,
  queue: Queue,
  left: () => Promise<readonly string[]>,
  say: (line: string) => void,
): Promise<readonly string[]> {
  let fewest = Number.POSITIVE_INFINITY;
  let deadline = Number.POSITIVE_INFINITY;
  for (;;) {
    await arena.muster();
    await queue.changeAll({ held: true }, { kind: 'release' });
    const ids = await left();
    say(`waiting for ${ids.length} jobs to finish`);
    if (ids.length < fewest) [fewest, deadline] = [ids.length, performance.now() + STUCK_AFTER_MS];
    if ((ids.length === 0 && (await arena.isAtRest(queue))) || performance.now() > deadline) return ids;
    await sleep(100);
  }
}

/** Waits until all due runs are decided, then stops the schedules. */
async function endSchedules(arena: Arena, queue: Queue): Promise<void> {
  const schedules = await queue.schedules();
  const deadline = performance.now() + STUCK_AFTER_MS;
  for (;;) {
    await arena.muster();
    const all = await schedules.all();
    const due = all.filter(({ nextAt, pausedAt }) => pausedAt === null && (nextAt ?? Infinity) < queue.now());
    if (due.length > 0 && performance.now() < deadline) {
      await sleep(50);
      continue;
    }
    for (const { name } of due)
      arena.problems.push({ what: `schedule ${name} is due, and nobody ticks`, name, at: Date.now() });
    await schedules.pause(all.map(({ name }) => name));
    return;
  }
}

if (import.meta.main) await runFromShell();

async function runFromShell(): Promise<void> {
  let given: Arguments | null;
  try {
    given = argumentsFrom(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (given === null) {
    console.log(USAGE);
    return;
  }
  const { seconds, seed, db, actions } = given;
  console.log(`seed ${seed}, ${seconds} s`);
  const say = (line: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
  };
  const report = await torture(seconds, seed, say, db, actions);
  console.log(describe(report));
  process.exitCode = report.problems.length > 0 ? 1 : 0;
}

export function describe(report: Report): string {
  const counts = (record: Readonly<Record<string, number>>): string =>
    Object.entries(record)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ') || 'none';
  return [
    `faults    ${counts(report.faults)}`,
    `users     ${report.actions} actions; rejected: ${counts(report.rejections)}`,
    `queue     ${report.jobs} jobs, ${report.attempts} attempts`,
    `judged    ${counts(report.judged)}`,
    report.problems.length === 0
      ? 'verdict   all is well'
      : `verdict   ${report.problems.length} problems, seed ${report.seed}`,
    ...report.problems.slice(0, 20).map((problem) => `  ${problem}`),
    ...(report.kept ? [`evidence  all of it is in ${report.kept}`, evidenceText(report, SHOWN_PROBLEMS)] : []),
  ].join('\n');
}

/** Formats the evidence of the first problems. */
function evidenceText({ problems, evidence }: Pick<Verdict, 'problems' | 'evidence'>, limit: number): string {
  const parts = problems.map((problem, i) => [problem, ...(evidence[i] ?? [])].join('\n  '));
  return parts.slice(0, limit).join('\n\n');
}
