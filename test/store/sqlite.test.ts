// SQLite does what every store must do.

import { storeContract } from '../contract/store.ts';
import { sqlitePlace } from './sqlite-place.ts';

storeContract('SQLite', sqlitePlace);
