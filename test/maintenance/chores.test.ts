// What the chores do to a queue in a file.

import { sqlitePlace } from '../store/sqlite-place.ts';
import { chores } from './chores.ts';

chores(sqlitePlace);
