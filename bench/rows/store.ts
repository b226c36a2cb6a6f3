// Measures the store alone in one process: enqueue, claim and complete no-op jobs, synced to disk, compared with
// plainjob, which does not sync.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { inSandbox } from '../measure.ts';
import { completeAll, worker } from '../no-op.ts';
import { haveNpmPeer } from '../peers.ts';
import { atLeast, type Bench, perSecond } from '../row.ts';
import { plainWorker } from '../../test/support/workers.ts';

const JOBS = 20_000;
const ENQUEUED_AT_ONCE = 1000;
/** Jobs per turn of a worker with a hundred slots. */
const CLAIMED_AT_ONCE = 100;
const ROUNDS = 3;

export const bench: Bench = {
  name: 'store',
  run: (say) =>
    inSandbox(async ({ folder }) => {
      const peer = haveNpmPeer('plainjob', say, ['run.mjs', ':memory:', '1']);
      if (peer === null) return [];
      let [ours, theirs] = [0, 0];
      for (let round = 1; round <= ROUNDS; round++) {
        say(`round ${round} of ${ROUNDS}`);
        ours = Math.max(ours, await ourRate(join(folder, `ours${round}`, 'queue.db')));
        theirs = Math.max(theirs, plainjobRate(peer, join(folder, `theirs${round}.db`)));
      }
      return [
        {
          measure: `store only: enqueue, claim, complete ${JOBS.toLocaleString('en-US')} no-ops, synced`,
          against: 'plainjob on its defaults, not synced',
          ours: perSecond(ours),
          theirs: perSecond(theirs),
          ...atLeast(ours / theirs, 2),
        },
      ];
    }),
};

async function ourRate(db: string): Promise<number> {
  const queue = await Queue.open({ db, environment: {} });
  await queue.store.registerWorker({ ...worker, ...plainWorker, concurrency: CLAIMED_AT_ONCE });
  const raws = Array.from({ length: ENQUEUED_AT_ONCE }, (_, i) => ({ command: `echo ${i}` }));
  const startedAt = performance.now();
  for (let done = 0; done < JOBS; done += raws.length) await queue.enqueue(raws);
  await completeAll(queue.store, CLAIMED_AT_ONCE);
  const rate = (JOBS / (performance.now() - startedAt)) * 1000;
  await queue.close();
  return rate;
}

function plainjobRate(folder: string, db: string): number {
  const { stdout, stderr, status } = spawnSync('node', ['run.mjs', db, String(JOBS)], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`plainjob: ${stderr}`);
  const { added, processed } = JSON.parse(stdout) as { added: number; processed: number };
  return JOBS / (added + processed);
}
