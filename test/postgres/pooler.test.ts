// A connection pooler between us and the server hands one session to many: it is rejected by name, and nothing of ours
// is left behind in its sessions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue } from '../cli/support.ts';
import { postgresPlace } from '../store/postgres-place.ts';
import { startPooler } from '../support/pooler.ts';
import { addressWith, ask } from '../support/postgres.ts';

const COMMANDS = [['enqueue', 'true'], ['status'], ['worker', 'run'], ['init']];

for (const [optionsAre, reason] of [
  ['rejected', /PgBouncer: unsupported startup parameter: options/],
  ['left out', /the responding session is not the one that was opened/],
] as const) {
  test(`a pooler by which startup options are ${optionsAre} is named, and every command is rejected immediately`, async (t) => {
    const place = await postgresPlace();
    t.after(() => place.remove());
    const pooler = await startPooler(t, place.server, optionsAre);
    const queue = newQueue(t);
    for (const args of COMMANDS) {
      const began = performance.now();
      const env = { QUEUECTL_DB: addressWith(pooler, { schema: place.schema, connect_timeout: '20' }) };
      const words = await queue.rejected(5, args, { env });
      assert.match(words, /^error: 'postgres:\/\/[^']*' is a connection pooler/);
      assert.match(words, reason);
      assert.match(words, / hint: use the URL of the PostgreSQL server/);
      assert.doesNotMatch(words, /secret/);
      assert.ok(performance.now() - began < 15_000, 'waiting would not help');
    }
    const schemas = await ask(place.server, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [place.schema]);
    assert.deepEqual(schemas, [], 'nothing was made');
  });
}

test('the sessions of a pooler that rejected us are unchanged', async (t) => {
  const place = await postgresPlace();
  t.after(() => place.remove());
  const pooler = await startPooler(t, place.server, 'left out');
  const queue = newQueue(t);
  for (const schema of [place.schema, `${place.schema} other`])
    await queue.rejected(5, ['enqueue', 'true'], { env: { QUEUECTL_DB: addressWith(pooler, { schema }) } });
  for (let i = 0; i < 6; i++) {
    const [row] = await ask(
      pooler,
      `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout`,
    );
    assert.deepEqual(row, { path: '"$user", public', timeout: '0' });
  }
});
