// Measures pickup on PostgreSQL: an enqueue, a notification, a turn and a spawn.

import { inSandbox } from '../measure.ts';
import { onServer, queueAt } from '../postgres.ts';
import type { Bench } from '../row.ts';
import { measurePickup } from '../stamps.ts';

export const bench: Bench = {
  name: 'postgres-pickup',
  run: (say) =>
    onServer((url) =>
      inSandbox((sandbox) => measurePickup(sandbox, { prefix: 'PostgreSQL, ', p50: 10, p99: 50 }, say), {
        QUEUECTL_DB: queueAt(url, 'pickup'),
      }),
    ),
};
