// Opening the database: creates a missing file, readable only by its owner, and migrates it.

import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { QueueError } from '../../errors/errors.ts';
import { Connection } from './connection.ts';
import { migrate } from './migrate.ts';

const DEFAULT_PATIENCE_MS = 10_000;

// FULL: acknowledged writes are on disk. The size limit shrinks a WAL that was once large. IDs are random, so each new
// job changes a separate index page. The pages of thousands of jobs (16 MiB) may stay in memory until they are
// committed; otherwise SQLite would write and read them several times in one transaction. Fewer checkpoints also write
// fewer of them twice.
const PRAGMAS = `
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA cache_spill = 4096;
`;

interface DatabaseOptions {
  readonly patienceMs?: number | undefined;
  readonly create?: boolean | undefined;
}

export async function openDatabase(
  path: string,
  { patienceMs = DEFAULT_PATIENCE_MS, create = true }: DatabaseOptions,
  now: number,
): Promise<Connection> {
  if (path !== ':memory:') createFile(path, create);
  const connection = new Connection(path, patienceMs);
  try {
    await migrate(connection, now);
    await connection.patiently(() => connection.exec(PRAGMAS));
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** SQLite would create a file that everyone can read. Its -wal and -shm files inherit the mode. */
function createFile(path: string, mayCreate: boolean): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error('it is a directory');
    if (there) return;
    if (!mayCreate) throw new QueueError('queue_not_found', { path });
    makeFolder(dirname(path));
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (error instanceof QueueError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new QueueError('store_unreachable', { path, problem: (error as Error).message }, { cause: error });
  }
}

/** Node's recursive mkdir never returns if the system rejects a directory, as below /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
