// What the chores do to a queue on a server.

import { postgresPlace } from '../store/postgres-place.ts';
import { chores } from './chores.ts';

chores(() => postgresPlace());
