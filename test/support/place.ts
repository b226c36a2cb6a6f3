// Where a run of tests makes its folders, and keeps what Node has compiled of them for the next process: in memory where
// there is room, since a test sees the same of a file there and waits for no disk; else in the usual place.
// Gone when the run ends.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newFolder, PLACE, removeFolder, STARTED } from './folder.ts';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** Runs `work` with the place in the environment. */
export async function withPlace<T>(work: () => Promise<T>): Promise<T> {
  process.env[PLACE] ??= hasRoomInMemory() ? MEMORY : os.tmpdir();
  const place = newFolder('queuectl-');
  fs.chmodSync(place, 0o1777); // some tests act as another user
  process.env[PLACE] = place;
  process.env[STARTED] = path.join(place, 'started');
  fs.mkdirSync(process.env[STARTED]);
  process.env.NODE_COMPILE_CACHE ??= path.join(place, 'compiled');
  process.on('exit', () => removeFolder(place)); // not after `work`: the package of PostgreSQL may end us before that
  return work();
}

/** Containers often have little of it, or run no programs there. */
function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && canRunProgramsIn(MEMORY);
  } catch {
    return false;
  }
}

function canRunProgramsIn(place: string): boolean {
  const folder = fs.mkdtempSync(path.join(place, 'queuectl-'));
  try {
    const program = path.join(folder, 'program');
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0;
  } finally {
    removeFolder(folder);
  }
}
