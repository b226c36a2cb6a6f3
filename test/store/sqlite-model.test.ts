// SQLite does what plain collections in memory would do.

import { modelSuite } from '../model/suite.ts';
import { sqlitePlace } from './sqlite-place.ts';

modelSuite('SQLite', sqlitePlace);
