// Measures the store alone in one process: enqueue one by one, claim and complete no-op jobs, compared with liteque,
// both synced to disk.

import { spawnSync } from 'node:child_process';
import type { Queue } from '../../src/queue/queue.ts';
import { plainWorker } from '../../test/support/workers.ts';
import { rate } from '../measure.ts';
import { completeAll, worker } from '../no-op.ts';
import { haveNpmPeer } from '../peers.ts';
import { atLeast, type Bench, type Row } from '../row.ts';

const JOBS = 2000;
const PEER_JOBS = 500;
const CLAIMED_AT_ONCE = 100;

export const benches: Bench[] = [
  {
    name: 'store',
    summary: 'the SQLite store without processes',
    on: 'SQLite',
    rows: async function* (kit) {
      const folder = haveNpmPeer('liteque', kit.say, ['--ignore-scripts']);
      if (folder === null) return;
      const common = { unit: '/s', durable: 'both', rounds: 3 } as const;
      const against = 'liteque on Node’s SQLite, synced';
      let round = 0;
      const peer = (part: 'add' | 'process') => () => litequeRate(folder, kit.addressOf(`liteque${++round}`), part);
      const queue = await kit.open('ours');
      await queue.store.registerWorker({ ...worker, ...plainWorker, concurrency: CLAIMED_AT_ONCE });
      const row = (measure: string, part: 'add' | 'process', least: number, ours: Row['ours']): Row => ({
        ...common,
        measure,
        target: atLeast(least),
        against,
        ours,
        peer: peer(part),
      });
      yield row(`enqueue no-ops one by one, in one process`, 'add', 1, () => rate(JOBS, () => enqueueAll(queue)));
      yield row(`claim and complete no-ops, up to ${CLAIMED_AT_ONCE} at once`, 'process', 2, async () => {
        await completeAll(queue.store, CLAIMED_AT_ONCE);
        await enqueueAll(queue);
        return rate(JOBS, () => completeAll(queue.store, CLAIMED_AT_ONCE));
      });
    },
  },
];

async function enqueueAll(queue: Queue): Promise<void> {
  for (let i = 0; i < JOBS; i++) await queue.enqueue([{ command: `echo ${i}` }]);
}

function litequeRate(cwd: string, db: string, part: 'add' | 'process'): number {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['run.mjs', db, String(PEER_JOBS)], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`liteque: ${stderr}`);
  return (PEER_JOBS / JSON.parse(stdout)[part]) * 1000;
}
