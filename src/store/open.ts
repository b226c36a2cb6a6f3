// The one place that knows which store a target means; each engine is loaded only when it is used.

import type { Place } from '../place.ts';
import type { Store } from './store.ts';

export interface OpenOptions {
  readonly clock?: () => number;
  readonly patienceMs?: number;
}

export async function openStore(place: Place, options: OpenOptions = {}): Promise<Store> {
  const { openSqlite } = await import('./sqlite/store.ts');
  return openSqlite(place.db, { wakePath: place.wakePath, ...options });
}
