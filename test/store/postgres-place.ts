// A queue in a schema of its own, on the server that all tests share.

import { after } from 'node:test';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { StorePlace } from '../contract/bench.ts';
import { addressWith, ask, emptySchema, sharedServer } from '../support/postgres.ts';

export interface PostgresPlace extends StorePlace {
  /** The address of the queue. */
  readonly url: string;
  /** The address of its database. */
  readonly server: string;
  readonly schema: string;
}

let made = 0;

export async function postgresPlace(
  schema = `test ${process.pid} "${made++}" ${Math.random().toString(36).slice(2, 8)}`,
): Promise<PostgresPlace> {
  const server = await sharedServer();
  const url = addressWith(server, { schema });
  return {
    url,
    server,
    schema,
    open: (clock) => openPostgres(url, { clock }),
    empty: async (table) => {
      await ask(server, `DELETE FROM ${quoted(schema)}.${table}`);
    },
    remove: async () => {
      await ask(server, `DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
    },
  };
}

/**
 * For suites that leave the tables as they are made: a place that was given back is emptied and given out again, which
 * is quicker than to make another.
 */
export function recycledPlaces(): () => Promise<StorePlace> {
  const all: PostgresPlace[] = [];
  const free: PostgresPlace[] = [];
  after(async () => {
    for (const place of all) await place.remove();
  });
  const take = async (): Promise<PostgresPlace> => {
    const recycled = free.pop();
    if (recycled) return recycled;
    const place = await postgresPlace();
    all.push(place);
    return place;
  };
  return async () => {
    const place = await take();
    const remove = async (): Promise<void> => {
      await emptySchema(place.server, place.schema);
      free.push(place);
    };
    return { ...place, remove };
  };
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
