// All migrations in order. Loaded only if a database is new or old.

import type { Migration } from '../../sql/migration.ts';
import { initial } from './0001-initial.ts';
import { workerLeases } from './0002-worker-leases.ts';
import { environments } from './0003-environments.ts';
import { outputs } from './0004-outputs.ts';
import { flow } from './0005-flow.ts';
import { access } from './0006-access.ts';
import { series } from './0007-series.ts';
import { lists } from './0008-lists.ts';
import { confinement } from './0009-confinement.ts';
import { workerMemory } from './0010-worker-memory.ts';
import { movedJobs } from './0011-moved-jobs.ts';
import { workerVersion } from './0012-worker-version.ts';

export const MIGRATIONS: readonly Migration[] = [
  initial,
  workerLeases,
  environments,
  outputs,
  flow,
  access,
  series,
  lists,
  confinement,
  workerMemory,
  movedJobs,
  workerVersion,
];
