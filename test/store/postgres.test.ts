// PostgreSQL does what every store must do.

import { storeContract } from '../contract/store.ts';
import { recycledPlaces } from './postgres-place.ts';

storeContract('PostgreSQL', recycledPlaces());
