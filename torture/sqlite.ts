// The arena of a queue in a file: on a small separate disk, with clocks that can be set wrong. All workers run on one
// host, so each can stop the jobs of a dead one.

import { type ChildProcess, spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Arena, type Fault, type Post, SETTINGS, WORK } from './arena.ts';
import { Chance } from './chance.ts';
import { workerFaults } from './faults.ts';

/** Small enough to fill quickly, large enough for the logs of a run: about 1,000 a minute, one page each. */
const DISK_MIB = 64;
const DISK_MIB_A_MINUTE = 8;

export class SqliteArena extends Arena {
  readonly disk = join(this.folder, 'disk');
  readonly db = join(this.disk, 'queue.db');
  readonly work = WORK;
  readonly settings = { ...SETTINGS, lease_duration: '2', heartbeat_interval: '0.3' };
  readonly longestFreezeMs = 4000;
  readonly faults: Readonly<Record<string, Fault>> = {
    ...workerFaults(this),
    'fill disk': (chance) => fillDisk(this, chance),
    'step clock': (chance) => stepClock(this, chance),
    'hostile reader': (chance) => hostileReader(this, chance),
    'busy storm': (chance) => busyStorm(this, chance),
    'lock beyond a lease': (chance) => lockBeyondLease(this, chance),
    'work on a copy': (chance) => workOnCopy(this, chance),
    'kill a large worker': (chance) => killLargeWorker(this, chance),
  };
  readonly menu: readonly string[];
  private readonly posts = new Chance(1);
  /** True if the disk can be filled without harm to others. */
  readonly hasOwnDisk: boolean;
  private readonly offsetFile = join(this.folder, 'clock-offset');

  constructor(minutes: number) {
    super();
    mkdirSync(this.disk);
    this.hasOwnDisk = mount(this.disk, Math.ceil(DISK_MIB + DISK_MIB_A_MINUTE * minutes));
    this.stepClock(0);
    // The large worker takes long, so it needs long runs.
    this.menu = Object.keys(this.faults).filter((name) => minutes > 2 || name !== 'kill a large worker');
  }

  get mark(): Readonly<Record<string, string>> {
    return { QUEUECTL_DB: this.db };
  }

  async kill(worker: ChildProcess): Promise<void> {
    worker.kill('SIGKILL');
  }

  /** Dead workers are noticed by the process that stops the others. */
  async isAtRest(): Promise<boolean> {
    return true;
  }

  sideQueue(number: number): string {
    return join(this.folder, `side-${number}`, 'queue.db');
  }

  async removeSideQueue(number: number): Promise<void> {
    rmSync(join(this.folder, `side-${number}`), { recursive: true, force: true });
  }

  override slotsOf(queue: string): number {
    return queue === LARGE_QUEUE ? LARGE : super.slotsOf(queue);
  }

  /** The post on this machine. */
  get plainPost(): Post {
    return { db: this.db, offsetFile: this.offsetFile, machine: '', environment: {} };
  }

  stepClock(offsetMs: number): void {
    this.clockChanges.push(Date.now());
    writeFileSync(this.offsetFile, String(Math.round(offsetMs)));
  }

  protected async release(keep: boolean): Promise<void> {
    if (!this.hasOwnDisk) return;
    if (keep) cpSync(this.disk, join(this.folder, 'kept'), { recursive: true });
    // Lazy unmount: a surviving process with an open log must not block it, as it is part of the verdict.
    spawnSync('umount', ['-l', this.disk]);
  }

  protected async post(): Promise<Post> {
    return { ...this.plainPost, machine: this.posts.pick(['', '', 'other']) ?? '' };
  }
}

/** Mounts a small tmpfs if allowed; else uses a plain directory. */
function mount(path: string, mib: number): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'queuectl-torture', path]);
  return status === 0;
}

async function fillDisk(arena: SqliteArena, chance: Chance): Promise<void> {
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
        await sleep(20); // full, and refilled whenever space is freed
      }
    }
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
}

/** Distinguishes a wrong clock from a claim whose command started late. */
const SHORTEST_STEP_MS = 60_000;

async function stepClock(arena: SqliteArena, chance: Chance): Promise<void> {
  const ms = chance.between(SHORTEST_STEP_MS, 3_600_000);
  arena.stepClock(chance.happens(0.5) ? ms : -ms);
  await sleep(chance.between(100, 3000));
  arena.stepClock(0);
}

/** A long-running reader prevents the write-ahead log from being truncated. */
async function hostileReader(arena: SqliteArena, chance: Chance): Promise<void> {
  const db = new DatabaseSync(arena.db, { timeout: 10_000 });
  try {
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM jobs').get();
    await sleep(chance.between(500, 5000));
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** No worker can renew its lease, and none may be considered lost because of it. */
async function lockBeyondLease(arena: SqliteArena, chance: Chance): Promise<void> {
  const db = new DatabaseSync(arena.db, { timeout: 2000 });
  try {
    db.exec('BEGIN IMMEDIATE');
    await sleep(chance.between(2000, 6000));
    db.exec('COMMIT');
  } catch {
    // The database is locked, or the disk is full.
  } finally {
    db.close();
  }
}

/**
 * Runs a worker on a copy of the database. It serves no queue but rescues dead workers there, and must not stop any
 * process here.
 */
async function workOnCopy(arena: SqliteArena, chance: Chance): Promise<void> {
  const folder = join(arena.folder, `copy${chance.integer(0, 1e9)}`);
  mkdirSync(folder);
  const copy = join(folder, 'queue.db');
  try {
    const db = new DatabaseSync(arena.db, { timeout: 2000 });
    db.exec(`VACUUM INTO '${copy}'`);
    db.close();
  } catch {
    return; // locked, or damaged by a full disk
  }
  const worker = arena.startWorker({ ...arena.plainPost, db: copy }, '1', 'nothing');
  await sleep(chance.between(2000, 6000));
  await ended(worker);
  rmSync(folder, { recursive: true, force: true });
}

const LARGE = 500;
const LARGE_QUEUE = 'large';
/** On a busy machine, its guard takes longer than the usual short lease to stop so many jobs. */
const LARGE_LEASE = { QUEUECTL_LEASE_DURATION: '15' };

/** Kills a worker with five hundred jobs, and then cancels the remaining ones to make room for others. */
async function killLargeWorker(arena: SqliteArena, chance: Chance): Promise<void> {
  const queue = await arena.openQueue();
  const job = { command: arena.ledger.command('sleep 3'), queue: LARGE_QUEUE, priority: -9 };
  try {
    const jobs = await queue.enqueue(Array.from({ length: LARGE }, () => job));
    for (const { id } of jobs) arena.acknowledged.add(id);
    const post = { ...arena.plainPost, environment: LARGE_LEASE };
    await arena.standstill; // while others are frozen, it would see their leases expire
    const worker = arena.startWorker(post, String(LARGE), LARGE_QUEUE);
    await sleep(chance.between(1000, 8000));
    await ended(worker);
    for (const { id } of jobs) await queue.cancel([id]).catch(() => {}); // it may have finished
  } catch {
    // The store was busy.
  } finally {
    await queue.close();
  }
}

async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await gone;
}

async function busyStorm(arena: SqliteArena, chance: Chance): Promise<void> {
  const db = new DatabaseSync(arena.db, { timeout: 500 });
  const until = performance.now() + chance.between(500, 3000);
  try {
    while (performance.now() < until) {
      try {
        db.exec('BEGIN IMMEDIATE');
        await sleep(chance.between(5, 200));
        db.exec('COMMIT');
      } catch {
        // The database is locked, or the disk is full.
        if (db.isTransaction) db.exec('ROLLBACK');
      }
      await sleep(chance.between(1, 30));
    }
  } finally {
    db.close();
  }
}
