// Measures a claim and `status` on PostgreSQL next to very many waiting jobs and schedules, and turns that update many
// dependents.

import { compareBurdens } from '../burdens.ts';
import { onServer, openQueue } from '../postgres.ts';
import type { Bench } from '../row.ts';

export const bench: Bench = {
  name: 'postgres-flow',
  run: (say) =>
    onServer((url) => compareBurdens({ prefix: 'PostgreSQL, ', open: (name) => openQueue(url, name) }, say)),
};
