// Runs the rescue tests on PostgreSQL.

import { postgresPlace } from '../store/postgres-place.ts';
import { rescues } from './rescues.ts';

rescues(() => postgresPlace());
