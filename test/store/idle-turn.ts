// The turn of a worker that nobody knows and that has nothing to tell.

import type { Turn } from '../../src/store/store.ts';

export const idleTurn: Turn = {
  worker: { id: 'w1', host: 'here', pid: 1, pidStartedAt: null, bootId: 'boot' },
  started: [],
  ended: [],
  want: 1,
  queues: null,
  policy: { strategy: 'fixed', base: 1, maxSeconds: 1, jitter: 0 },
  maxConcurrentJobs: null,
  logPath: (id, run) => `${id}.${run}.log`,
};
