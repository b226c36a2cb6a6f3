// Measures a claim, `status`, `list` and `show` with many jobs, compared with few.

import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { inSandbox } from '../measure.ts';
import type { Bench } from '../row.ts';
import { compareSizes } from '../sizes.ts';

export const bench: Bench = {
  name: 'scale',
  run: (say) =>
    inSandbox(({ folder }) => {
      const open = (name: string): Promise<Queue> =>
        Queue.open({ db: join(folder, name, 'queue.db'), environment: {} });
      return compareSizes({ prefix: '', limit: 1.5, open }, say);
    }),
};
