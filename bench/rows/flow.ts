// What a claim and `status` cost beside very many jobs and schedules that wait, and how long turns are when many are told.

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
