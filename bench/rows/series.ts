// Measures the cost of time series for a drain: the same worker with and without, in turns, on both stores. CPU is the
// median of all rounds; for elapsed time, which other load affects, the best round counts.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inSandbox, median, root } from '../measure.ts';
import { onServer, queueAt } from '../postgres.ts';
import { atMost, type Bench, ms, type Row } from '../row.ts';

const JOBS = 2000;
const ROUNDS = 9;
const LIMIT = 1.02;

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

export const bench: Bench = {
  name: 'series',
  run: async (say) => [
    ...(await inSandbox(({ folder }) => compare('SQLite', (n) => join(folder, `${n}.db`), say))),
    ...(await onServer((url) => compare('PostgreSQL', (n) => queueAt(url, `series_${n}`), say))),
  ],
};

type Side = 'with' | 'without';

async function compare(store: string, dbOf: (n: string) => string, say: (line: string) => void): Promise<Row[]> {
  const costs: Record<Side, Cost[]> = { with: [], without: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    say(`${store}, round ${round} of ${ROUNDS}`);
    const sides: Side[] = round % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
    for (const side of sides) {
      const cost = drain(side, dbOf(`${side}_${round}`));
      if (round > 0) costs[side].push(cost); // round 0 is a warm-up
    }
  }
  return (['cpuMs', 'ms'] as const).map((what) => rowOf(store, what, costs));
}

function rowOf(store: string, what: keyof Cost, costs: Record<Side, Cost[]>): Row {
  const typical = (list: readonly Cost[]): number => {
    const values = list.map((cost) => cost[what]);
    return what === 'ms' ? Math.min(...values) : median(values);
  };
  const [ours, theirs] = [typical(costs.with), typical(costs.without)];
  return {
    measure: `${store}, drain ${JOBS} × true, counted over time: ${what === 'ms' ? 'time' : 'CPU of worker and server'}`,
    against: 'the same, not counted',
    ours: ms(ours),
    theirs: ms(theirs),
    ...atMost(ours / theirs, LIMIT),
  };
}

function drain(side: Side, db: string): Cost {
  const hooks = side === 'without' ? ['--import', join(root, 'bench', 'series', 'without.mjs')] : [];
  const script = join(root, 'bench', 'series', 'drain.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [...hooks, script, db, String(JOBS)], {
    encoding: 'utf8',
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Cost;
}
