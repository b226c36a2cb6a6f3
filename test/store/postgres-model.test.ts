// PostgreSQL does what plain collections in memory would do.

import { modelSuite } from '../model/suite.ts';
import { postgresPlace } from './postgres-place.ts';

/** Each step is a journey to a server and back, so there are fewer of them than for SQLite. */
const RUNS = 50;

modelSuite('PostgreSQL', () => postgresPlace(), RUNS);
