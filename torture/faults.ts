// Faults that can happen on any engine, by name: they affect workers and their jobs.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena, Fault } from './arena.ts';
import type { Chance } from './chance.ts';
import type { Note } from './diary.ts';

type Faults = Readonly<Record<string, Fault>>;

const freezeWorker = async (arena: Arena, chance: Chance, note: Note): Promise<void> => {
  const worker = chance.pick(arena.workers);
  const ms = chance.between(200, arena.longestFreezeMs);
  note(`${arena.nameOf(worker)} for ${Math.round(ms)} ms`);
  await (worker ? arena.freeze(worker, ms) : sleep(ms));
};

const killWorker = async (arena: Arena, chance: Chance, note: Note): Promise<void> => {
  const worker = chance.pick(arena.workers);
  note(arena.nameOf(worker));
  if (worker) await arena.kill(worker);
};

const killAllWorkers = async (arena: Arena, note: Note): Promise<void> => {
  note(arena.workers.map((worker) => arena.nameOf(worker)).join(', '));
  await Promise.all(arena.workers.map((worker) => arena.kill(worker)));
};

const stopWorker = async (arena: Arena, chance: Chance, note: Note): Promise<void> => {
  const worker = chance.pick(arena.workers);
  note(arena.nameOf(worker));
  worker?.kill('SIGTERM');
};

/** Sends a forced stop right after a graceful one: a job claimed at that moment must not start. */
const forceWorker = async (arena: Arena, chance: Chance, note: Note): Promise<void> => {
  const worker = chance.pick(arena.workers);
  note(arena.nameOf(worker));
  worker?.kill('SIGTERM');
  await sleep(chance.between(0, 20));
  worker?.kill('SIGINT');
};

/** Freezes workers, guards and jobs, as when a machine is suspended or its disk hangs. */
const freezeEverything = async (arena: Arena, chance: Chance, note: Note): Promise<void> => {
  const ms = chance.between(200, 2 * arena.longestFreezeMs);
  const standing = arena.standstill.then(async () => {
    const all = arena.survivors();
    note(`${all.length} processes for ${Math.round(ms)} ms`);
    for (const pid of all) send(pid, 'SIGSTOP');
    await sleep(ms);
    for (const pid of all) send(pid, 'SIGCONT');
  });
  arena.standstill = standing;
  await standing;
};

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited by itself.
  }
}

/** Kills the shell of a running job, like an out-of-memory killer. */
const killJob = async (arena: Arena, chance: Chance, note: Note): Promise<void> => {
  const queue = await arena.openQueue();
  try {
    const workers = await queue.store.workers();
    const worker = chance.pick(workers.filter(({ running }) => running.length > 0));
    const attempt = worker && chance.pick(await queue.store.runningOn(worker.id));
    if (!attempt?.pid) return;
    note(`pid ${attempt.pid}, job ${attempt.jobId}`);
    process.kill(attempt.pid, 'SIGKILL');
  } catch {
    // It exited first.
  } finally {
    await queue.close();
  }
};

export const workerFaults = (arena: Arena): Faults => ({
  'kill worker': (chance, note) => killWorker(arena, chance, note),
  'kill all workers': (_, note) => killAllWorkers(arena, note),
  'stop worker': (chance, note) => stopWorker(arena, chance, note),
  'freeze worker': (chance, note) => freezeWorker(arena, chance, note),
  'freeze everything': (chance, note) => freezeEverything(arena, chance, note),
  'force worker': (chance, note) => forceWorker(arena, chance, note),
  'kill HTTP server': () => arena.killWebServer(),
  'kill job': (chance, note) => killJob(arena, chance, note),
});
