// PostgreSQL does what every store must do.

import { storeContract } from '../contract/store.ts';
import { postgresPlace } from './postgres-place.ts';

storeContract('PostgreSQL', () => postgresPlace());
