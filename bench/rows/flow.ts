// Measures a claim and `status` next to very many waiting jobs and schedules, and turns that update many dependents.

import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { compareBurdens } from '../burdens.ts';
import { inSandbox } from '../measure.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'flow',
  run: (say) =>
    inSandbox(({ folder }) => {
      const open = (name: string): Promise<Queue> =>
        Queue.open({ db: join(folder, name, 'queue.db'), environment: {} });
      return compareBurdens({ prefix: '', open }, say);
    }),
};
