// Measures a claim, `status`, `list` and `show` on PostgreSQL with many jobs, compared with few.

import { onServer, openQueue } from '../postgres.ts';
import type { Bench } from '../row.ts';
import { compareSizes } from '../sizes.ts';

export const bench: Bench = {
  name: 'postgres-scale',
  run: (say) =>
    onServer((url) => compareSizes({ prefix: 'PostgreSQL, ', limit: 1.5, open: (name) => openQueue(url, name) }, say)),
};
