// The one place that knows which store a target means; each engine is loaded only when it is used.

import type { Place } from './location.ts';
import type { Store } from './store.ts';

export interface OpenOptions {
  readonly clock?: (() => number) | undefined;
  readonly patienceMs?: number | undefined;
  /** false: a missing file or schema is queue_not_found. */
  readonly create?: boolean | undefined;
  /** Where libpq's variables are looked for; default: the process's own. */
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
