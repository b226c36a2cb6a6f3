// Measures the server: lists in a large and a small queue, and enqueueing over HTTP.

import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { compareEnqueue } from '../http-enqueue.ts';
import { compareLists } from '../http-lists.ts';
import { inSandbox } from '../measure.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'http',
  run: (say) =>
    inSandbox(async ({ folder }) => {
      const open = (name: string): Promise<Queue> =>
        Queue.open({ db: join(folder, name, 'queue.db'), environment: {} });
      return [...(await compareEnqueue({ prefix: '', open }, say)), ...(await compareLists({ prefix: '', open }, say))];
    }),
};
