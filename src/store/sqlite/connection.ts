// One connection to one SQLite file: prepared statements, transactions, waiting for locks. It waits between statements,
// so that a busy database never blocks the event loop for long.

import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { QueueError } from '../../errors/errors.ts';
import { EnvironmentCache } from '../sql/environment-cache.ts';
import { isBusy, translate } from './failures.ts';
import { SettingsCache } from './settings.ts';

/** How long SQLite itself waits for a lock. It blocks the event loop, so longer waits use timers. */
const BLOCKING_WAIT_MS = 10;
const LARGEST_WAL_LEFT = 1_048_576;
const LOOK_AGAIN_MS = 50;
const LONGEST_PAUSE_MS = 40;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Connection {
  readonly path: string;
  readonly environments = new EnvironmentCache();
  readonly settings = new SettingsCache();
  /** Duration of the previous turn; null before the first one. */
  lastTurnMs: number | null = null;
  /** True while a temporary table must be preserved. */
  isStaging = false;
  private readonly db: DatabaseSync;
  private readonly patienceMs: number;
  /** Identifies the file independently of its path. A copy has a different ID. */
  readonly fileId: string;
  private seenAt = Number.NEGATIVE_INFINITY;
  private readonly statements = new Map<string, StatementSync>();

  constructor(path: string, patienceMs: number) {
    this.path = path;
    this.patienceMs = patienceMs;
    this.fileId = fileIdOf(path);
    this.db = attempt(path, () => new DatabaseSync(path, { timeout: BLOCKING_WAIT_MS }));
  }

  /** Returns the prepared statement for this text, from a cache. */
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

  /** Returns the size of the database. */
  bytes(): number {
    const size = this.sql('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size').get();
    return Number(size?.n);
  }

  /** Returns problems with the file itself, one sentence each. */
  brokenPages(): string[] {
    const found = this.sql('PRAGMA quick_check').all();
    return found.map((row) => String(row.quick_check)).filter((line) => line !== 'ok');
  }

  /**
   * Throws store_gone if the file was deleted: writes would still succeed, but no other process would ever see them.
   */
  checkStillThere(): void {
    if (performance.now() - this.seenAt < LOOK_AGAIN_MS) return;
    if (fileIdOf(this.path) !== this.fileId) throw new QueueError('store_gone', { path: this.path });
    this.seenAt = performance.now();
  }

  /** Runs `work` on one consistent snapshot. */
  read<T>(work: () => T): Promise<T> {
    return this.transaction(() => this.sql('BEGIN').run(), work);
  }

  /**
   * Runs `work` as the only writer. Its changes are on disk when the promise resolves, and rolled back if it throws.
   */
  write<T>(work: () => T): Promise<T> {
    return this.transaction(() => this.begin(), work);
  }

  /**
   * Like write(), for statements that change many pages each. Keeps statement journals in memory instead of in a file.
   */
  writeMuch<T>(work: () => T): Promise<T> {
    return this.transaction(() => this.beginInMemory(), work);
  }

  /** Runs `work` outside of a transaction, waiting for locks. */
  async patiently<T>(work: () => T): Promise<T> {
    let waitedMs = 0;
    for (let longestMs = 1; ; longestMs = Math.min(longestMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw translate(error, this.path);
        if (waitedMs > this.patienceMs) throw this.stayedBusy(error);
      }
      const pauseMs = longestMs * (0.5 + Math.random() / 2); // random, so that two processes do not collide again
      await sleep(pauseMs);
      waitedMs += pauseMs + BLOCKING_WAIT_MS;
    }
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  /**
   * SQLite would make the last connection to close checkpoint the write-ahead log: five flushes instead of one for a
   * short command. So the log stays, unless it has become so large that reading it would take longer.
   */
  leave(): void {
    const wal = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (wal > LARGEST_WAL_LEFT) this.close();
  }

  private begin(): void {
    this.sql('BEGIN IMMEDIATE').run();
  }

  /**
   * SQLite decides at the start of a transaction where to keep statement journals, by the setting for temporary tables.
   * Changing that setting deletes temporary tables.
   */
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
