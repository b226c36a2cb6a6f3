// An export of a file, imported into another file.

import { sqlitePlace } from '../store/sqlite-place.ts';
import { roundTrip } from './round-trip.ts';

roundTrip('SQLite', sqlitePlace, sqlitePlace);
