// Runs the rescue tests on SQLite.

import { sqlitePlace } from '../store/sqlite-place.ts';
import { rescues } from './rescues.ts';

rescues(sqlitePlace);
