// Measures draining no-op jobs with running workers, compared with tools that run the same commands four at a time.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { completed, drainedAt } from '../drained.ts';
import { inSandbox, type Sandbox } from '../measure.ts';
import { haveProgram } from '../peers.ts';
import { atLeast, type Bench, perSecond, type Row } from '../row.ts';

const JOBS = 2000;
const PARALLEL = 4;
const ROUNDS = 3;

interface Peer {
  readonly name: string;
  readonly program: string;
  readonly debianPackage: string;
  readonly reach: number;
  /** Shell script that runs all jobs and returns when they have finished. */
  readonly script: string;
}

const PEERS: readonly Peer[] = [
  {
    name: `xargs -P${PARALLEL}, no queue at all`,
    program: 'xargs',
    debianPackage: 'findutils',
    reach: 0.7,
    script: `yes | head -n ${JOBS} | xargs -P ${PARALLEL} -n 1 sh -c true`,
  },
  {
    name: `task-spooler, ${PARALLEL} slots, in memory`,
    program: 'tsp',
    debianPackage: 'task-spooler',
    reach: 1.2,
    script: `tsp -S ${PARALLEL}; for i in $(seq ${JOBS}); do tsp -n sh -c true; done > /dev/null; tsp -w; tsp -K`,
  },
  {
    name: 'nq, one at a time',
    program: 'nq',
    debianPackage: 'nq',
    reach: 2,
    script: `for i in $(seq ${JOBS}); do nq -q sh -c true; done > /dev/null; nq -w`,
  },
  {
    name: `GNU parallel -j${PARALLEL} --joblog`,
    program: 'parallel',
    debianPackage: 'parallel',
    reach: 3,
    script: `seq ${JOBS} | parallel -j ${PARALLEL} --joblog joblog "sh -c true"`,
  },
];

export const bench: Bench = {
  name: 'drain',
  run: (say) =>
    inSandbox(async (sandbox) => {
      const peers = PEERS.filter((peer) => haveProgram(peer.program, peer.debianPackage, say));
      sandbox.queuectl(['worker', 'start', '--concurrency', String(PARALLEL)]);
      const best = new Map<string, number>();
      const note = (name: string, rate: number): Map<string, number> =>
        best.set(name, Math.max(rate, best.get(name) ?? 0));
      for (let round = 1; round <= ROUNDS; round++) {
        say(`round ${round} of ${ROUNDS}`);
        note('ours', await drain(sandbox));
        for (const peer of peers) note(peer.name, rateOf(peer, sandbox));
      }
      return peers.map((peer) => row(peer, best.get('ours') ?? 0, best.get(peer.name) ?? Number.NaN));
    }),
};

function row(peer: Peer, ours: number, theirs: number): Row {
  return {
    measure: `drain ${JOBS.toLocaleString('en-US')} × true, workers up, durable`,
    against: peer.name,
    ours: perSecond(ours),
    theirs: perSecond(theirs),
    ...atLeast(ours / theirs, peer.reach),
  };
}

/** Time from the last enqueue until all jobs are completed. */
async function drain({ environment, queuectl }: Sandbox): Promise<number> {
  const queue = await Queue.open({ environment });
  const before = await completed(queue);
  queuectl(['enqueue', '-', '--lines'], 'true\n'.repeat(JOBS));
  const startedAt = Date.now();
  const ms = (await drainedAt(queue, before + JOBS)) - startedAt;
  await queue.close();
  return (JOBS / ms) * 1000;
}

/**
 * ext4 is slow to reuse inodes of recently removed files, and parallel removes two per job, so its files are in memory
 * to avoid slowing down later contestants. nq reads all jobs in its directory, so each round begins with an empty one.
 */
function rateOf(peer: Peer, sandbox: Sandbox): number {
  const folder = mkdtempSync(join(sandbox.folder, `${peer.program}-`));
  const { environment } = sandbox;
  const env = {
    ...environment,
    TMPDIR: existsSync('/dev/shm') ? '/dev/shm' : folder,
    TS_SOCKET: join(folder, 'tsp'),
    NQDIR: folder,
    PARALLEL_HOME: folder,
  };
  const startedAt = performance.now();
  spawnSync('sh', ['-c', peer.script], { cwd: folder, env });
  return (JOBS / (performance.now() - startedAt)) * 1000;
}
