// A queue in a schema of its own, on the server that all tests share.

import { openPostgres } from '../../src/store/postgres/store.ts';
import type { StorePlace } from '../contract/bench.ts';
import { addressWith, ask, sharedServer } from '../support/postgres.ts';

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
    remove: async () => {
      await ask(server, `DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
    },
  };
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
