// The PostgreSQL that tests share: the one of the whole run, or for a test file that runs alone one of its own.

import { after } from 'node:test';
import pg from 'pg';
import { type Server, startServer, VARIABLE } from './server.ts';

export { freePort, type Halt, type Server, startServer } from './server.ts';

let own: Promise<Server> | null = null;
let emptying: Promise<pg.Client> | null = null;

/** The address of the server that these tests share. */
export async function sharedServer(): Promise<string> {
  const given = process.env[VARIABLE];
  if (given) return given;
  own ??= startServer();
  return (await own).url;
}

after(async () => {
  await (await emptying)?.end();
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
  const client = await connected(url);
  try {
    return (await client.query(text, [...values])).rows ?? [];
  } finally {
    await client.end();
  }
}

const LARGE_TABLE = 1000;

/**
 * As right after it was made; only what was applied to it stays known. A table that is empty is left as it is, and rows of a
 * small one are deleted, which costs a tenth of new files for it and its indexes.
 */
export async function emptySchema(server: string, schema: string): Promise<void> {
  const name = `'${schema.replaceAll("'", "''")}'`;
  const text = `
    DO $$ DECLARE one record; used bigint; large text[] := '{}'; BEGIN
      SET LOCAL session_replication_role = replica; -- no triggers
      FOR one IN SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname = ${name} AND tablename <> 'migrations'
      LOOP
        EXECUTE 'SELECT count(*) FROM (SELECT FROM ' || one.name || ' LIMIT ${LARGE_TABLE}) AS rows' INTO used;
        IF used = ${LARGE_TABLE} THEN large := large || one.name;
        ELSIF used > 0 THEN EXECUTE 'DELETE FROM ' || one.name; END IF;
      END LOOP;
      IF large <> '{}' THEN EXECUTE 'TRUNCATE ' || array_to_string(large, ', ') || ' CASCADE'; END IF;
      PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE schemaname = ${name} AND last_value IS NOT NULL;
    END $$`;
  emptying ??= connected(server);
  await (await emptying).query(text);
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the server may be gone before it
  await client.connect();
  return client;
}
