// Measures the time from the commit of an enqueue to the first instruction of the job on an idle worker, compared with
// a bare spawn in turns.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from '../src/queue/queue.ts';
import { percentile, type Sandbox } from './measure.ts';
import { atMost, ms, type Row } from './row.ts';

const ROUNDS = 100;

interface Limits {
  readonly prefix: string;
  /** Milliseconds above a bare spawn. */
  readonly p50: number;
  readonly p99: number;
}

export async function measurePickup(
  { folder, environment, queuectl }: Sandbox,
  limits: Limits,
  say: (line: string) => void,
): Promise<Row[]> {
  queuectl(['worker', 'start']);
  const queue = await Queue.open({ environment, cwd: folder });
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    say(`${round + 1} of ${ROUNDS}`);
    const stamp = join(folder, `stamp${round}`);
    ours.push(await untilStamped(stamp, () => queue.enqueue([{ command: stampCommand(stamp) }])));
    const bareStamp = join(folder, `bare${round}`);
    bare.push(await untilStamped(bareStamp, () => bareSpawn(bareStamp)));
  }
  await queue.close();
  const row = (name: string, share: number, limitMs: number): Row => ({
    measure: `${limits.prefix}pickup by an idle worker, ${name}`,
    against: `a bare spawn; ms above it at most ${limitMs}`,
    ours: ms(percentile(ours, share)),
    theirs: ms(percentile(bare, share)),
    ...atMost(percentile(ours, share) - percentile(bare, share), limitMs),
  });
  return [row('p50', 0.5, limits.p50), row('p99', 0.99, limits.p99)];
}

const stampCommand = (path: string): string => `date +%s%N > ${path}.new; mv ${path}.new ${path}`;

/** Milliseconds from the end of `start` (for a spawn, from its beginning) to the time that the job recorded. */
async function untilStamped(path: string, start: () => Promise<unknown>): Promise<number> {
  const spawnedAt = performance.timeOrigin + performance.now();
  const result = await start();
  const from = result === undefined ? spawnedAt : performance.timeOrigin + performance.now();
  for (;;) {
    try {
      return Number(readFileSync(path, 'utf8')) / 1e6 - from;
    } catch {
      await sleep(1);
    }
  }
}

async function bareSpawn(path: string): Promise<undefined> {
  await once(spawn('/bin/sh', ['-c', stampCommand(path)], { stdio: 'ignore', detached: true }), 'exit');
}
