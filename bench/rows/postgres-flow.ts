// What a claim and `status` cost on PostgreSQL beside very many jobs and schedules that wait, and how long turns are when
// many are told.

import { compareBurdens } from '../burdens.ts';
import { onServer, openQueue } from '../postgres.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'postgres-flow',
  run: (say) =>
    onServer((url) => compareBurdens({ prefix: 'PostgreSQL, ', open: (name) => openQueue(url, name) }, say)),
};
