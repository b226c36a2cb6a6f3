// Measures the dashboard's overview on PostgreSQL with a large and a small queue.

import { compareOverviews } from '../overview.ts';
import { onServer, openQueue } from '../postgres.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'postgres-overview',
  run: (say) =>
    onServer(async (url) => {
      const open = (name: string) => openQueue(url, name);
      return compareOverviews({ prefix: 'PostgreSQL, ', open }, say);
    }),
};
