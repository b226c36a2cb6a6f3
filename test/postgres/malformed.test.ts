// A record that somebody broke by hand, in either store: its job is set aside with the reason, everybody else's go on.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { newQueue } from '../cli/support.ts';
import { postgresPlace, quoted } from '../store/postgres-place.ts';
import { ask } from '../support/postgres.ts';

/** The queue to use, and a way to change its table by hand. */
interface Broken {
  readonly db: string | undefined;
  change(sql: string): Promise<unknown>;
}

async function onPostgres(t: TestContext): Promise<Broken> {
  const { url, server, schema, remove } = await postgresPlace();
  t.after(() => remove());
  const change = (sql: string) => ask(server, sql.replace('jobs', `${quoted(schema)}.jobs`));
  return { db: url, change };
}

const BREAK = [
  `UPDATE jobs SET env = '{broken' WHERE id = 'env'`,
  `UPDATE jobs SET command = '[1, 2', is_argv = 1 WHERE id = 'command'`,
];

for (const store of ['SQLite', 'PostgreSQL'] as const) {
  test(`${store}: unreadable records are dead with the reason, and the jobs behind them run`, async (t) => {
    const queue = newQueue(t);
    const { db, change }: Broken =
      store === 'PostgreSQL'
        ? await onPostgres(t)
        : { db: undefined, change: async (sql) => new DatabaseSync(queue.db, { timeout: 10_000 }).exec(sql) };
    const env = db === undefined ? {} : { QUEUECTL_DB: db };
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await queue.run(args, { env });
      assert.equal(code, 0, `${args.join(' ')}\n${stderr}`);
      return stdout;
    };
    const show = async (id: string) => JSON.parse(await run('show', id, '--json'));

    for (const id of ['env', 'command', 'fine']) await run('enqueue', '--id', id, '--max-retries', '3', 'echo ok');
    for (const sql of BREAK) await change(sql);
    assert.equal(JSON.parse(await run('list', '--json')).length, 3);
    assert.match(await run('list'), /command .*env /s);
    assert.equal((await show('env')).state, 'pending');
    await run('show', 'command');

    await run('worker', 'run', '--drain', '--concurrency', '2');
    assert.equal((await show('fine')).state, 'completed');
    for (const [id, reason] of [
      ['env', /^invalid job record: env /],
      ['command', /^invalid job record: the command /],
    ] as const) {
      const job = await show(id);
      assert.equal(job.state, 'dead');
      assert.match(job.last_error, reason);
      assert.deepEqual(
        job.history.map(({ outcome }: { outcome: string }) => outcome),
        ['malformed'],
      );
    }
    assert.match(await run('dlq', 'list'), /invalid job record/);
    await run('doctor');
  });
}
