// Removes sockets of deleted queues: if the workers were killed and the directory was deleted, no worker is left to do
// it. A socket without a listening process is useless to any queue.

import { lstatSync, rmdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { namesIn } from '../system/files.ts';
import { isShared, socketFolder } from '../worker/job-socket/socket-folder.ts';
import type { Chore } from './maintenance.ts';

/** A worker listens right after it has created its directory; younger directories are left alone. */
const YOUNG_MS = 60_000;
const ANSWER_WITHIN_MS = 1000;

/** `run` is the directory of this queue's worker files. */
export function sweepGoneQueues(run: string, environment: NodeJS.ProcessEnv): Chore {
  const own = socketFolder(run, environment);
  const runOnce = async (): Promise<number> => {
    if (!isShared(own)) return 0;
    let removed = 0;
    for (const folder of pathsIn(dirname(own)))
      if (folder !== own && statusOf(folder)?.isDirectory()) removed += await sweep(folder);
    return removed;
  };
  return { name: 'sweep gone queues', everyMs: 600_000, runOnce };
}

/** Returns 1 if the directory was removed. Directories with anything except dead sockets stay. */
async function sweep(folder: string): Promise<number> {
  const paths = [folder, ...pathsIn(folder)];
  if (paths.some(isYoung)) return 0;
  for (const path of paths.slice(1))
    if (statusOf(path)?.isSocket() && !(await isListening(path))) rmSync(path, { force: true });
  try {
    rmdirSync(folder);
    return 1;
  } catch {
    return 0; // not empty
  }
}

function isYoung(path: string): boolean {
  const changedAt = statusOf(path)?.mtimeMs;
  return changedAt !== undefined && Date.now() - changedAt < YOUNG_MS;
}

const statusOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });

const pathsIn = (folder: string): string[] => namesIn(folder).map((name) => join(folder, name));

/** Only a refused connection proves that no process is listening. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(path);
    const end = (isThere: boolean): void => {
      clearTimeout(overdue);
      connection.destroy();
      resolve(isThere);
    };
    const overdue = setTimeout(() => end(true), ANSWER_WITHIN_MS);
    connection.once('connect', () => end(true));
    connection.once('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED'));
  });
}
