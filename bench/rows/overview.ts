// Measures the dashboard's overview with a large and a small queue.

import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { inSandbox } from '../measure.ts';
import { compareOverviews } from '../overview.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'overview',
  run: (say) =>
    inSandbox(async ({ folder }) => {
      const open = (name: string): Promise<Queue> =>
        Queue.open({ db: join(folder, name, 'queue.db'), environment: {} });
      return compareOverviews({ prefix: '', open }, say);
    }),
};
