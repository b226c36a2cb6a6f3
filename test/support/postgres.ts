// The PostgreSQL that tests share: the one of the whole run, or for a test file that runs alone one of its own.

import { after } from 'node:test';
import pg from 'pg';
import { type Server, startServer, VARIABLE } from './server.ts';

export { freePort, type Halt, type Server, startServer } from './server.ts';

let own: Promise<Server> | null = null;

/** The address of the server that these tests share. */
export async function sharedServer(): Promise<string> {
  const given = process.env[VARIABLE];
  if (given) return given;
  own ??= startServer();
  return (await own).url;
}

after(async () => {
  await (await own)?.stop();
});

export const addressWith = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
};

/** Statements beside the store: a look from outside, or what an administrator would do. */
export async function ask(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows ?? [];
  } finally {
    await client.end();
  }
}
