// What a session is started with reaches the server as it was meant, whatever characters are in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startupOptions } from '../../src/store/postgres/session/startup.ts';
import { parseTarget } from '../../src/store/postgres/session/target.ts';
import { addressWith, sharedServer } from '../support/postgres.ts';
import { quoted } from './postgres-place.ts';

async function settingsWith(parameters: Record<string, string>, ...names: string[]): Promise<unknown[]> {
  const url = await sharedServer();
  const options = startupOptions(parseTarget(addressWith(url, parameters), {}));
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    const asked = names.map((name) => `current_setting('${name}')`).join(', ');
    return (await client.query({ text: `SELECT ${asked}`, rowMode: 'array' })).rows[0] ?? [];
  } finally {
    await client.end();
  }
}

for (const schema of ['queuectl', 'two words', 'a\\b', 'tab\tnew\nline', `it's "quoted"`, 'é🦊', '-c geqo=off']) {
  test(`the schema ${JSON.stringify(schema)} is the search path`, async () => {
    assert.deepEqual(await settingsWith({ schema }, 'search_path'), [`${quoted(schema)}, pg_temp`]);
  });
}

test("the user's options apply next to ours, but do not override them", async () => {
  const options = '-c work_mem=5MB -c geqo=off -c search_path=public -c statement_timeout=0';
  assert.deepEqual(
    await settingsWith({ options }, 'work_mem', 'geqo', 'search_path', 'statement_timeout', 'enable_seqscan'),
    ['5MB', 'off', '"queuectl", pg_temp', '12s', 'off'],
  );
});
