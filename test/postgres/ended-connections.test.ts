// Connections that are ended by somebody else, or not to be had at all because the server is full.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { beating, type Host, LONG_LEASE, newHosts } from '../support/hosts.ts';
import { addressWith, startServer } from '../support/postgres.ts';
import { until } from '../support/until.ts';

test('connections are terminated repeatedly while jobs run, and every job finishes exactly once', async (t) => {
  const hosts = await newHosts(t, LONG_LEASE);
  for (const name of ['a', 'b']) await (await hosts.host(name)).worker('--concurrency', '3');
  const ids = Array.from({ length: 60 }, (_, i) => `job${i}`);
  const command = 'echo "start $QUEUECTL_JOB_ID" >> ledger; sleep 0.1; echo "end $QUEUECTL_JOB_ID" >> ledger';
  await hosts.add(...ids.map((id) => ({ id, command })));
  let [ended, completed] = [0, 0];
  while (completed < ids.length) {
    ended += await hosts.terminate();
    const before = completed;
    await until('another job has ended', async () => {
      completed = await hosts.count('completed');
      return completed > before;
    });
  }
  assert.ok(ended > 20, `${ended} connections were ended`);
  assert.deepEqual(hosts.lines('ledger').sort(), ids.flatMap((id) => [`end ${id}`, `start ${id}`]).sort());
  for (const id of ids) assert.deepEqual(await hosts.outcomes(id), ['completed'], id);
  assert.deepEqual(await hosts.queue.store.check(), []);
});

/** Takes every connection that the server has left. */
async function fill(address: string): Promise<pg.Client[]> {
  const held: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: address });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      return held;
    }
    held.push(client);
  }
}

test('on a full server commands fail in time with exit code 5, and workers wait and recover', async (t) => {
  const server = await startServer({ max_connections: '12', superuser_reserved_connections: '0' });
  const hosts = await newHosts(t, LONG_LEASE, server);
  const host: Host = await hosts.host('a');
  const worker = await host.worker('--concurrency', '2');
  await hosts.add({ id: 'x', command: beating() });
  await hosts.untilRunOn(host, 'x');

  const held: pg.Client[] = [];
  t.after(() => Promise.all(held.map((client) => client.end().catch(() => {}))).then(() => {}));
  await until('its worker is out', async () => {
    held.push(...(await fill(server.url)));
    const [one] = held;
    await one?.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
      [hosts.schema],
    );
    return /degraded: .*(too many clients|remaining connection slots)/.test(worker.stderr());
  });
  held.push(...(await fill(server.url)));

  const began = performance.now();
  const db = addressWith(host.way.url, { connect_timeout: '2' });
  const { code, stderr } = await hosts.cli.run(['status', '--db', db]);
  const tookMs = performance.now() - began;
  assert.equal(code, 5, stderr);
  assert.match(stderr, /^error: cannot open database 'postgres:.*too many clients.*\n hint: /);
  assert.doesNotMatch(stderr, /secret/);
  assert.ok(tookMs < 10_000, `${tookMs} ms`);

  await Promise.all(held.splice(0).map((client) => client.end()));
  await hosts.add({ id: 'y', command: 'true' });
  await hosts.untilState('y', 'completed');
  await hosts.cli.sh('touch end');
  await hosts.untilState('x', 'completed');
  assert.deepEqual(await hosts.outcomes('x'), ['completed']);
  assert.equal(hosts.runs('x').length, 1);
});
