// Measures one `enqueue` from the shell, compared with an empty Node process.

import { spawnSync } from 'node:child_process';
import { elapsed, launcher } from '../measure.ts';
import { atMost, type Bench } from '../row.ts';

export const benches: Bench[] = [
  {
    name: 'enqueue',
    summary: 'one `enqueue` from the shell',
    on: 'SQLite',
    rows: async function* ({ environment: env, queuectl }) {
      queuectl(['init']);
      yield {
        measure: 'one `enqueue` from the shell',
        against: '`node -e 0`, the same Node',
        unit: 'ms',
        target: atMost(1.25),
        durable: 'ours',
        samples: 15,
        ours: () => elapsed(() => spawnSync(launcher, ['enqueue', 'true'], { env })),
        peer: () => elapsed(() => spawnSync(process.execPath, ['-e', '0'], { env })),
      };
    },
  },
];
