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

/** As right after it was made; only what was applied to it stays known. A table that is empty is left as it is. */
export async function emptySchema(server: string, schema: string): Promise<void> {
  const name = `'${schema.replaceAll("'", "''")}'`;
  const text = `
    DO $$ DECLARE one record; used boolean; names text[] := '{}'; BEGIN
      FOR one IN SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname = ${name} AND tablename <> 'migrations'
      LOOP
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || one.name || ')' INTO used;
        IF used THEN names := names || one.name; END IF;
      END LOOP;
      IF names <> '{}' THEN EXECUTE 'TRUNCATE ' || array_to_string(names, ', ') || ' CASCADE'; END IF;
      PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE schemaname = ${name} AND last_value IS NOT NULL;
    END $$`;
  await ask(server, text);
}
