// Runs the chore tests on SQLite.

import { sqlitePlace } from '../store/sqlite-place.ts';
import { chores } from './chores.ts';

chores(sqlitePlace);
