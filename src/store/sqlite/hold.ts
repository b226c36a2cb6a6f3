// The hold on a queue that is being moved: a lock on a small file next to the database. Workers check it in the
// transaction that registers them, so that all earlier registrations are visible and no later one succeeds. The system
// releases the lock when the process ends, so a killed move blocks no other process. The file may remain.

import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { QueueError } from '../../errors/errors.ts';
import { ensureOwnFile } from '../../system/own-file.ts';
import type { Hold } from '../store.ts';
import { type Connection, fileIdOf } from './connection.ts';
import { isBusy } from './failures.ts';

const TRIES = 20;
const LOOK_AGAIN_MS = 50;

interface Lock {
  readonly db: DatabaseSync;
  readonly fileId: string;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const fileOf = (path: string): string => `${path}-moving`;

export async function hold(connection: Connection): Promise<Hold> {
  const file = fileOf(connection.path);
  const lock = await lockSoon(file);
  if (lock === null) throw moving(connection.path);
  await connection.write(() => {}); // waits for a registration that is under way
  return {
    isHeld: async () => fileIdOf(file) === lock.fileId,
    release: async () => {
      rmSync(file, { force: true });
      lock.db.close();
    },
  };
}

/** Retries, because registrations hold the lock for a moment. */
async function lockSoon(file: string): Promise<Lock | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    ensureOwnFile(file); // SQLite would make it readable by everyone
    const lock = lockOn(file);
    if (lock) return lock;
    await sleep(LOOK_AGAIN_MS);
  }
  return null;
}

/** Runs in the transaction that registers a worker. */
export function rejectWhileMoving({ path }: Connection): void {
  const file = fileOf(path);
  if (!existsSync(file)) return;
  const lock = lockOn(file);
  if (lock === null) throw moving(path);
  lock.db.close();
}

/** Locks the file. Returns null if another process has locked it, or if it was deleted meanwhile. */
function lockOn(file: string): Lock | null {
  const fileId = fileIdOf(file);
  const db = new DatabaseSync(file);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  if (existsSync(file) && fileIdOf(file) === fileId) return { db, fileId };
  db.close();
  return null;
}

const moving = (path: string): QueueError => new QueueError('queue_moving', { path });
