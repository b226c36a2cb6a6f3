// One PostgreSQL for a benchmark: its own, durable, on this machine, gone afterwards.

import pg from 'pg';
import { Queue } from '../src/queue/queue.ts';
import { startServer } from '../test/support/server.ts';

/** Nothing is left to chance that a production server would not leave to it either. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

export async function onServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startServer(DURABLE);
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

/** The address of a queue of its own. */
export const queueAt = (url: string, schema: string): string => `${url}?schema=${schema}`;

export const openQueue = (url: string, schema: string): Promise<Queue> =>
  Queue.open({ db: queueAt(url, schema), environment: {} });

/** A look from outside, or what an administrator would do. */
export async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
