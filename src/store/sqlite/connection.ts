// One connection to one SQLite file: prepared statements, transactions, patience with locks.
// Waiting for a lock happens between statements, so that a busy database never blocks the event loop for long.

import { closeSync, fdatasync, fdatasyncSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { QueueError } from '../../errors/errors.ts';
import { EnvironmentCache } from '../sql/environment-cache.ts';
import { isBusy, translate } from './failures.ts';
import { SettingsCache } from './settings.ts';

/** How long SQLite itself waits for a lock, blocking; the rest is waited outside. */
const BLOCKING_WAIT_MS = 10;
const LARGEST_WAL_LEFT = 1_048_576;
const LOOK_AGAIN_MS = 50;
const LONGEST_PAUSE_MS = 40;

export interface Disk {
  /** Waits until what was written to an open file is on disk. */
  sync(file: number): void;
  /** The same in another thread. */
  syncAside(file: number): Promise<void>;
  /** A sync that takes this long is left to the other thread from then on. */
  readonly slowMs: number;
}

const DISK: Disk = {
  sync: fdatasyncSync,
  syncAside: (file) =>
    new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
  slowMs: 2,
};

/** So many syncs after a slow one are left to the other thread, before this one tries again. */
const ASIDE_AT_ONCE = 16;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Connection {
  readonly path: string;
  readonly environments = new EnvironmentCache();
  readonly settings = new SettingsCache();
  /** How long the last turn took; null: there was none. */
  lastTurnMs: number | null = null;
  /** There is a temporary table that has to last. */
  isStaging = false;
  private readonly db: DatabaseSync;
  private readonly patienceMs: number;
  /** The file itself, whatever its path: a copy of it has another. */
  readonly fileId: string;
  private seenAt = Number.NEGATIVE_INFINITY;
  private readonly statements = new Map<string, StatementSync>();
  private readonly disk: Disk;
  /** The write-ahead log, which nobody removes while it is open here. */
  private log: number | null = null;
  private synchronous: 'FULL' | 'NORMAL' = 'FULL';
  private isUnsynced = false;
  private goAside = 0;

  constructor(path: string, patienceMs: number, disk = DISK) {
    this.disk = disk;
    this.path = path;
    this.patienceMs = patienceMs;
    this.fileId = fileIdOf(path);
    this.db = attempt(path, () => new DatabaseSync(path, { timeout: BLOCKING_WAIT_MS }));
  }

  /** The prepared statement for this text; prepared once. */
  sql(text: string): StatementSync {
    let statement = this.statements.get(text);
    if (!statement) {
      statement = this.db.prepare(text);
      this.statements.set(text, statement);
    }
    return statement;
  }

  exec(script: string): void {
    this.db.exec(script);
  }

  /** The size of the database. */
  bytes(): number {
    const size = this.sql(
      'SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size',
    ).get();
    return Number(size?.n);
  }

  /** What is wrong with the file itself, a sentence each. */
  brokenPages(): string[] {
    const found = this.sql('PRAGMA quick_check').all();
    return found.map((row) => String(row.quick_check)).filter((line) => line !== 'ok');
  }

  /** Throws store_gone if the file was removed: writes would still succeed, but no other process would ever read them. */
  checkStillThere(): void {
    if (performance.now() - this.seenAt < LOOK_AGAIN_MS) return;
    if (fileIdOf(this.path) !== this.fileId) throw new QueueError('store_gone', { path: this.path });
    this.seenAt = performance.now();
  }

  /** Runs `work` on one consistent snapshot. */
  read<T>(work: () => T): Promise<T> {
    return this.transaction(() => this.sql('BEGIN').run(), work);
  }

  /** Runs `work` as the only writer; on disk when it resolves, undone when it throws. */
  write<T>(work: () => T): Promise<T> {
    return this.transaction(() => this.begin(), work);
  }

  /**
   * The same, but on disk only when sync() has resolved; others see it before. The first one is synced by SQLite, which then also
   * syncs the folder of a log that is new.
   */
  async writeUnsynced<T>(work: () => T): Promise<T> {
    const isFirst = this.log === null;
    const result = await this.transaction(() => this.begin(isFirst ? 'FULL' : 'NORMAL'), work);
    this.isUnsynced = !isFirst;
    this.log ??= this.openLog();
    return result;
  }

  /** Has the disk take what writeUnsynced() wrote; how long that took. While the disk is slow, the event loop goes on meanwhile. */
  async sync(): Promise<number> {
    if (this.log === null || !this.isUnsynced) return 0;
    const startedAtMs = performance.now();
    this.isUnsynced = false;
    try {
      if (this.goAside > 0) await this.syncAside(this.log);
      else this.syncHere(this.log);
    } catch {
      await this.writeElsewhere();
    }
    return performance.now() - startedAtMs;
  }

  /** The same as write() for statements that change many pages each: what undoes one of them needs no file, however much it is. */
  writeMuch<T>(work: () => T): Promise<T> {
    return this.transaction(() => this.beginInMemory(), work);
  }

  /** Runs `work` outside of any transaction, waiting for locks. */
  async patiently<T>(work: () => T): Promise<T> {
    let waitedMs = 0;
    for (let longestMs = 1; ; longestMs = Math.min(longestMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw translate(error, this.path);
        if (waitedMs > this.patienceMs) throw this.stayedBusy(error);
      }
      const pauseMs = longestMs * (0.5 + Math.random() / 2); // by chance, so that two do not meet again
      await sleep(pauseMs);
      waitedMs += pauseMs + BLOCKING_WAIT_MS;
    }
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
    if (this.log !== null) closeSync(this.log);
    this.log = null;
  }

  /**
   * The last connection to close folds the write-ahead log into the database: five syncs instead of one for a short
   * command. So it is left where it is until reading it anew would take longer than that.
   */
  leave(): void {
    const wal = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (wal > LARGEST_WAL_LEFT) this.close();
  }

  /** FULL: SQLite waits for the disk at the commit. */
  private begin(synchronous: 'FULL' | 'NORMAL' = 'FULL'): void {
    if (synchronous !== this.synchronous) this.exec(`PRAGMA synchronous = ${synchronous}`);
    this.synchronous = synchronous;
    this.sql('BEGIN IMMEDIATE').run();
  }

  /** SQLite asks when a transaction begins where to keep that: where temporary tables are. Changing it removes those. */
  private beginInMemory(): void {
    if (this.isStaging) return void this.begin();
    this.db.exec('PRAGMA temp_store = MEMORY');
    try {
      this.begin();
    } finally {
      this.db.exec('PRAGMA temp_store = DEFAULT');
    }
  }

  private transaction<T>(begin: () => void, work: () => T): Promise<T> {
    return this.patiently(() => this.within(begin, work));
  }

  private within<T>(begin: () => void, work: () => T): T {
    begin();
    try {
      const result = work();
      this.sql('COMMIT').run();
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  /** null: it cannot be had, so SQLite goes on syncing. */
  private openLog(): number | null {
    try {
      return openSync(`${this.path}-wal`, 'r');
    } catch {
      return null;
    }
  }

  private syncHere(log: number): void {
    const startedAtMs = performance.now();
    this.disk.sync(log);
    if (performance.now() - startedAtMs >= this.disk.slowMs) this.goAside = ASIDE_AT_ONCE;
  }

  private syncAside(log: number): Promise<void> {
    this.goAside--;
    return this.disk.syncAside(log);
  }

  /** The system tells of a failed sync once, and then takes what it could not write for written. So it goes to another file. */
  private async writeElsewhere(): Promise<void> {
    try {
      const done = await this.patiently(() => this.sql('PRAGMA wal_checkpoint(FULL)').get());
      if (done?.busy !== 0) throw new Error('others still read what would be moved');
    } catch (cause) {
      throw new QueueError('store_not_synced', { path: this.path }, { cause });
    }
  }

  private stayedBusy(cause: unknown): QueueError {
    return new QueueError('store_busy', { path: this.path, seconds: this.patienceMs / 1000 }, { cause });
  }
}

export function fileIdOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : 'none';
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error, path);
  }
}
