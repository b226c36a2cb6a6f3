// Measures the cost of time series for a drain: the CPU of the same worker, with and without them.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../measure.ts';
import { atMost, count, onBoth } from '../row.ts';

const JOBS = 2000;

export const benches = onBoth('series', 'the cost of counting over time', async function* ({ prefix, addressOf }) {
  let round = 0;
  yield {
    measure: `${prefix}drain ${count(JOBS)} × \`true\` with counts over time: CPU of worker and server`,
    against: 'without counts over time',
    unit: 'ms',
    target: atMost(1.02),
    durable: 'both',
    rounds: 9,
    warmUp: true,
    ours: () => drain([], addressOf(`with_${++round}`)),
    peer: () => drain(['--import', join(root, 'bench', 'series', 'without.mjs')], addressOf(`without_${round}`)),
  };
});

function drain(hooks: readonly string[], db: string): number {
  const script = join(root, 'bench', 'series', 'drain.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [...hooks, script, db, String(JOBS)], { encoding: 'utf8' });
  if (!stdout) throw new Error(stderr);
  return (JSON.parse(stdout) as { cpuMs: number }).cpuMs;
}
