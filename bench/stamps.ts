// The time until a command runs: each records the time of its first instruction in a file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export const stampCommand = (path: string): string => `date +%s%N > ${path}.new; mv ${path}.new ${path}`;

/** Milliseconds from the end of `start` (for a spawn, from its beginning) to the time that the job recorded. */
export async function untilStamped(path: string, start: (path: string) => Promise<unknown>): Promise<number> {
  const spawnedAt = performance.timeOrigin + performance.now();
  const result = await start(path);
  const from = result === undefined ? spawnedAt : performance.timeOrigin + performance.now();
  for (;;) {
    try {
      return Number(readFileSync(path, 'utf8')) / 1e6 - from;
    } catch {
      await sleep(1);
    }
  }
}

export async function bareSpawn(path: string): Promise<undefined> {
  await once(spawn('/bin/sh', ['-c', stampCommand(path)], { stdio: 'ignore', detached: true }), 'exit');
}
