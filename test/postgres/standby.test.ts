// A server that only reads, a hot standby or an old primary: everything can be looked at, and whoever wants to write is
// told why not. When there is a new primary under the same name, it is found.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { newQueue } from '../cli/support.ts';
import { Detour } from '../support/detour.ts';
import { newJob } from '../support/jobs.ts';
import { ask, type Server, startServer } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';

const WRITING = [
  ['enqueue', 'true'],
  ['enqueue', '--lines', '-'],
  ['run', 'true'],
  ['worker', 'run'],
  ['worker', 'start'],
  ['retry', 'done'],
  ['cancel', 'waits'],
  ['delete', 'waits'],
  ['dlq', 'retry', '--all'],
  ['prune', '--older-than', '0s', '--yes'],
  ['reset', '--yes'],
  ['config', 'set', 'max_retries', '2'],
];
const READING = [
  ['status'],
  ['list'],
  ['show', 'done'],
  ['logs', 'done'],
  ['metrics'],
  ['worker', 'list'],
  ['config', 'list'],
  ['dlq', 'list'],
  ['wait', 'done'],
];

suite('on a hot standby', { concurrency: 1 }, () => {
  let server: Server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  test('reads work, writes are rejected as read-only, and doctor reports it', async (t) => {
    const queue = newQueue(t);
    const env = { QUEUECTL_DB: server.url };
    const run = (args: readonly string[]) => queue.run(args, { env, input: 'true\n' });
    await run(['enqueue', '--id', 'done', 'echo fine']);
    await run(['enqueue', '--id', 'bad', '--max-retries', '0', 'exit 1']);
    assert.equal((await run(['worker', 'run', '--drain'])).code, 0);
    await run(['enqueue', '--id', 'waits', 'true']);
    await ask(server.url, "INSERT INTO queuectl.counters SELECT 'default', 'dead', 0 FROM generate_series(1, 2000)");
    await server.halt();
    await server.standBy();

    for (const args of READING) {
      const { code, stderr } = await run(args);
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    }
    for (const args of WRITING) {
      const words = await queue.rejected(5, args, { env, input: 'true\n' });
      assert.match(
        words,
        /^error: cannot write to database 'postgres:[^']*' \(.+\)\n hint: .*not to a standby\n$/,
        args.join(' '),
      );
    }
    const { code, stdout } = await run(['doctor']);
    assert.equal(code, 1);
    assert.match(stdout, /cannot write to database '.*' \(the server is a standby/);
  });

  test('a promoted standby accepts writes without reconnecting', async (t) => {
    const store = await openPostgres(server.url);
    t.after(() => store.close());
    await rejection('store_read_only', () => store.enqueue([newJob('after')]));
    await ask(server.url, 'SELECT pg_promote()');
    await store.enqueue([newJob('after')]);
    assert.equal((await store.find('after')).state, 'pending');
  });
});

test('an old primary that is read-only is left for the new one', async (t) => {
  const servers = [await startServer(), await startServer()] as const;
  for (const server of servers) t.after(() => server.stop());
  const [old, fresh] = servers;
  await (await openPostgres(fresh.url)).close();
  const way = await Detour.open(t, old.url);
  const store = await openPostgres(way.url);
  t.after(() => store.close());
  await ask(old.url, 'ALTER SYSTEM SET default_transaction_read_only = on');
  await ask(old.url, 'SELECT pg_reload_conf()');
  way.leadTo(fresh.url);

  let rejections = 0;
  for (let tries = 0; tries < 50; tries++) {
    try {
      await store.enqueue([newJob(`job${tries}`)]);
      if (rejections > 0) break;
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'store_read_only', String(error));
      rejections++;
    }
  }
  assert.equal(rejections, 1, 'the next try finds the new one');
  const jobs = await ask(fresh.url, 'SELECT id FROM queuectl.jobs');
  assert.equal(jobs.length, 1);
});
