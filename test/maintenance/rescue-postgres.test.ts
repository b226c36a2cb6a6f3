// Who is taken for lost, on a server.

import { postgresPlace } from '../store/postgres-place.ts';
import { rescues } from './rescues.ts';

rescues(() => postgresPlace());
