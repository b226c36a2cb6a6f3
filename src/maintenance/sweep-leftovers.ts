// Removes files that a lost worker left behind: secrets, and job sockets. Their names begin with the worker's ID.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../system/files.ts';
import type { Store } from '../store/store.ts';
import { socketFolder } from '../worker/job-socket/socket-folder.ts';
import type { Chore } from './maintenance.ts';

const secretsFolder = (run: string): string => join(run, 'secrets');

/** The dot separates the worker ID, which never contains one. */
export const folderOfAttempt = (run: string, workerId: string, lease: { seq: number; run: number }): string =>
  join(secretsFolder(run), `${workerId}.${lease.seq}.${lease.run}`);

export function sweepLeftovers(store: Store, run: string, environment: NodeJS.ProcessEnv): Chore {
  const folders = [secretsFolder(run), socketFolder(run, environment)];
  const runOnce = async (): Promise<number> => {
    const found = folders.flatMap(entriesOf);
    if (found.length === 0) return 0;
    const there = new Set((await store.workers()).map(({ id }) => id));
    const left = found.filter(({ workerId }) => !there.has(workerId));
    for (const { path } of left) rmSync(path, { recursive: true, force: true });
    return left.length;
  };
  return { name: 'sweep leftovers', everyMs: 10_000, runOnce };
}

const entriesOf = (folder: string) =>
  namesIn(folder).map((name) => ({ path: join(folder, name), workerId: name.split('.')[0] ?? '' }));
