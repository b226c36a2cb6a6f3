// Runs the chore tests on PostgreSQL.

import { postgresPlace } from '../store/postgres-place.ts';
import { chores } from './chores.ts';

chores(() => postgresPlace());
