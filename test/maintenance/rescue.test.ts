// Who is taken for lost, in a file.

import { sqlitePlace } from '../store/sqlite-place.ts';
import { rescues } from './rescues.ts';

rescues(sqlitePlace);
