// A temporary, durable PostgreSQL server on this machine for a benchmark.

import pg from 'pg';
import { Queue } from '../src/queue/queue.ts';
import { startServer } from '../test/support/server.ts';

/** Same durability as a production server, with connections for a hundred workers. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_connections: '500' };

export async function onServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startServer(DURABLE);
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

/** Returns the address of a separate queue. */
export const queueAt = (url: string, schema: string): string => `${url}?schema=${schema}`;

export const openQueue = (url: string, schema: string): Promise<Queue> =>
  Queue.open({ db: queueAt(url, schema), environment: {} });

/** Runs an administrative query. */
export async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
