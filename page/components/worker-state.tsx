// The state of a worker as a shape and a word.

import type { Worker } from '../core/types.ts';

export const WorkerState = ({ state }: Pick<Worker, 'state'>) => (
  <span class="worker-state" data-worker={state}>
    {state}
  </span>
);
