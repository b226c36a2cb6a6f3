// The faults, each by name: what it does, and how long it lasts. A fault undoes itself when its time is over.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import type { Chance } from './chance.ts';

export type Fault = (arena: Arena, chance: Chance) => Promise<void>;

const freezeWorker: Fault = async (arena, chance) => {
  const worker = chance.pick(arena.workers);
  worker?.kill('SIGSTOP');
  await sleep(chance.between(200, 4000));
  worker?.kill('SIGCONT');
};

const killWorker: Fault = async (arena, chance) => {
  chance.pick(arena.workers)?.kill('SIGKILL');
};

const killAllWorkers: Fault = async (arena) => {
  for (const worker of arena.workers) worker.kill('SIGKILL');
};

const stopWorker: Fault = async (arena, chance) => {
  chance.pick(arena.workers)?.kill('SIGTERM');
};

/** The shell of a running job, as an out-of-memory killer would. */
const killJob: Fault = async (arena, chance) => {
  const queue = await arena.openQueue();
  try {
    const workers = await queue.store.workers();
    const worker = chance.pick(workers.filter(({ running }) => running.length > 0));
    const attempt = worker && chance.pick(await queue.store.runningOn(worker.id));
    if (attempt?.pid) process.kill(attempt.pid, 'SIGKILL');
  } catch {
    // It was quicker.
  } finally {
    await queue.close();
  }
};

const fillDisk: Fault = async (arena, chance) => {
  if (!arena.hasOwnDisk) return;
  const path = join(arena.disk, `filler${chance.integer(0, 1e9)}`);
  const fd = openSync(path, 'w');
  const block = Buffer.alloc(65_536);
  const until = performance.now() + chance.between(500, 3000);
  try {
    while (performance.now() < until) {
      try {
        writeSync(fd, block);
      } catch {
        await sleep(20); // full: and filled again whenever something is given back
      }
    }
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
};

const stepClock: Fault = async (arena, chance) => {
  arena.stepClock(chance.between(-3_600_000, 3_600_000));
  await sleep(chance.between(100, 3000));
  arena.stepClock(0);
};

/** A reader that stays on its snapshot keeps the write-ahead log from being emptied. */
const hostileReader: Fault = async (arena, chance) => {
  const db = new DatabaseSync(arena.db);
  try {
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM jobs').get();
    await sleep(chance.between(500, 5000));
    db.exec('COMMIT');
  } finally {
    db.close();
  }
};

const busyStorm: Fault = async (arena, chance) => {
  const db = new DatabaseSync(arena.db, { timeout: 500 });
  const until = performance.now() + chance.between(500, 3000);
  try {
    while (performance.now() < until) {
      try {
        db.exec('BEGIN IMMEDIATE');
        await sleep(chance.between(5, 200));
        db.exec('COMMIT');
      } catch {
        // Somebody else holds it, or the disk is full: part of the storm.
        if (db.isTransaction) db.exec('ROLLBACK');
      }
      await sleep(chance.between(1, 30));
    }
  } finally {
    db.close();
  }
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  'kill worker': killWorker,
  'kill all workers': killAllWorkers,
  'stop worker': stopWorker,
  'freeze worker': freezeWorker,
  'kill job': killJob,
  'fill disk': fillDisk,
  'step clock': stepClock,
  'hostile reader': hostileReader,
  'busy storm': busyStorm,
};
