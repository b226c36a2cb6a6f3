// An export of a server, imported into another schema, and from one store to the other.

import { postgresPlace } from '../store/postgres-place.ts';
import { sqlitePlace } from '../store/sqlite-place.ts';
import { roundTrip } from './round-trip.ts';

const server = () => postgresPlace();
roundTrip('PostgreSQL', server, server);
roundTrip('SQLite to PostgreSQL', sqlitePlace, server);
roundTrip('PostgreSQL to SQLite', server, sqlitePlace);
