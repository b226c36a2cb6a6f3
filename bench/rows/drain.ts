// Draining no-op jobs with workers already up, against xargs running the same commands with no queue at all.

import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSandbox, type Sandbox } from '../measure.ts';
import { atLeast, type Bench, perSecond } from '../row.ts';

const JOBS = 2000;
const PARALLEL = 4;
const ROUNDS = 3;

export const bench: Bench = {
  name: 'drain',
  run: (say) =>
    inSandbox(async (sandbox) => {
      sandbox.queuectl(['worker', 'start', '--count', '2', '--concurrency', String(PARALLEL / 2)]);
      let [ours, theirs] = [0, 0];
      for (let round = 1; round <= ROUNDS; round++) {
        say(`round ${round} of ${ROUNDS}`);
        ours = Math.max(ours, await drain(sandbox));
        theirs = Math.max(theirs, xargs());
      }
      return [
        {
          measure: `drain ${JOBS.toLocaleString('en-US')} × true, workers up, durable`,
          against: `xargs -P${PARALLEL} sh -c true`,
          ours: perSecond(ours),
          theirs: perSecond(theirs),
          ...atLeast(ours / theirs, 0.7),
        },
      ];
    }),
};

/** From the moment the jobs are in until all of them are completed. */
async function drain({ queuectl }: Sandbox): Promise<number> {
  const done = (): number => JSON.parse(queuectl(['status', '--json'])).completed;
  const before = done();
  queuectl(['enqueue', '-', '--lines'], 'true\n'.repeat(JOBS));
  const startedAt = performance.now();
  while (done() < before + JOBS) await sleep(5);
  return (JOBS / (performance.now() - startedAt)) * 1000;
}

function xargs(): number {
  const startedAt = performance.now();
  spawnSync('xargs', ['-P', String(PARALLEL), '-n', '1', 'sh', '-c', 'true'], { input: 'x\n'.repeat(JOBS) });
  return (JOBS / (performance.now() - startedAt)) * 1000;
}
