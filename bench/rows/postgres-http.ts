// Measures the server on PostgreSQL: lists in a large and a small queue, and enqueueing over HTTP.

import { compareEnqueue } from '../http-enqueue.ts';
import { compareLists } from '../http-lists.ts';
import { onServer, openQueue } from '../postgres.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'postgres-http',
  run: (say) =>
    onServer(async (url) => {
      const places = { prefix: 'PostgreSQL, ', open: (name: string) => openQueue(url, name) };
      return [...(await compareEnqueue(places, say)), ...(await compareLists(places, say))];
    }),
};
