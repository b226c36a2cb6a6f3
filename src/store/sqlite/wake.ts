// Waking idle workers: a change that they should look at touches a small file next to the database. A touch may be
// lost; a slow poll compensates for that.

import { type FSWatcher, lutimesSync, mkdirSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { ensureOwnFile } from '../../system/own-file.ts';
import type { Connection } from './connection.ts';

export function touch(path: string): void {
  try {
    const now = Date.now() / 1000; // with a Date, Node would load the time zone
    lutimesSync(path, now, now);
  } catch {
    // No process has listened here yet.
  }
}

/** Calls `listener` on every touch until the returned function is called. */
export function listen(path: string, listener: () => void): () => void {
  let watcher: FSWatcher | null = null;
  let closed = false;
  let restarting = false;
  const start = (): void => {
    if (closed) return;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      ensureOwnFile(path);
      watcher = watch(path, (event) => {
        if (event === 'rename') restart(); // the file was replaced or deleted, so watch its successor
        listener();
      });
      watcher.on('error', () => watcher?.close());
    } catch {
      // Without a watcher, workers still poll.
    }
  };
  const restart = (): void => {
    if (restarting) return;
    restarting = true;
    watcher?.close();
    setTimeout(() => {
      restarting = false;
      start();
    }, 1000).unref();
  };
  start();
  return () => {
    closed = true;
    watcher?.close();
  };
}

/** SQLite counts the commits of other connections, and the rows changed by this one. */
export function changeMark(connection: Connection): string {
  connection.checkStillThere();
  const { data_version } = connection.sql('PRAGMA data_version').get() ?? {};
  const { own } = connection.sql('SELECT total_changes() AS own').get() ?? {};
  return `${data_version}.${own}`;
}
