// Opens the store that a location names. Loads each engine on demand.

import type { Place } from './location.ts';
import type { Store } from './store.ts';

export interface OpenOptions {
  readonly clock?: (() => number) | undefined;
  readonly patienceMs?: number | undefined;
  /** If false, a missing file or schema is the error queue_not_found. */
  readonly create?: boolean | undefined;
  /** Source of libpq's variables; by default the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export async function openStore(place: Place, options: OpenOptions = {}): Promise<Store> {
  if (place.file === null) {
    const { openPostgres } = await import('./postgres/store.ts');
    return openPostgres(place.db, options);
  }
  const { openSqlite } = await import('./sqlite/store.ts');
  return openSqlite(place.file, { wakePath: place.wakePath, ...options });
}
