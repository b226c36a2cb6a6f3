// Measures the time from the commit of an enqueue to the first instruction of the job on an idle worker, compared with
// a bare spawn.

import { inSandbox } from '../measure.ts';
import type { Bench } from '../row.ts';
import { measurePickup } from '../stamps.ts';

export const bench: Bench = {
  name: 'pickup',
  run: (say) => inSandbox((sandbox) => measurePickup(sandbox, { prefix: '', p50: 5, p99: 25 }, say)),
};
