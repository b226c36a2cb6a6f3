// A request to create jobs whose answer was lost is sent again with its key: the jobs are there once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { startServer, type TestServer } from './support.ts';

const create = ({ ask }: TestServer, key: string, body: unknown) =>
  ask('POST', '/jobs', body, { 'idempotency-key': key });

test('a request repeated with its key enqueues nothing and returns the same jobs', async (t) => {
  const server = await startServer(t);
  const body = [{ command: 'echo 1' }, { command: 'echo 2', id: 'mine' }];
  const first = await create(server, 'k1', body);
  const again = await create(server, 'k1', body);
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.json, first.json);
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')],
    [null, 'true'],
  );
  assert.equal(await server.queue.countOf({}), 2);
  await create(server, 'k2', { command: 'echo 1' });
  assert.equal(await server.queue.countOf({}), 3);
});

test('a key of another request is rejected', async (t) => {
  const server = await startServer(t);
  await create(server, 'k1', { command: 'echo 1' });
  const other = await create(server, 'k1', { command: 'echo 2' });
  assert.deepEqual([other.status, other.json.code], [409, 'idempotency_key_reused']);
  assert.equal(await server.queue.countOf({}), 1);
  for (const key of ['with space', 'x'.repeat(256), ''])
    assert.equal((await create(server, key, { command: 'x' })).json.code, 'invalid_request', key);
});

test('a rejected request leaves its key unused', async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/jobs', { id: 'taken', command: 'true' });
  assert.equal((await create(server, 'k1', { id: 'taken', command: 'true' })).status, 409);
  assert.equal((await create(server, 'k1', { command: 'true', prio: 1 })).status, 400);
  assert.equal((await create(server, 'k1', { id: 'free', command: 'true' })).status, 201);
});

test('of identical concurrent requests one runs, and the jobs are stored once', async (t) => {
  const server = await startServer(t);
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(server, 'k1', { command: 'x' })));
  for (const { status, json } of answers) assert.ok(status === 201 || json.code === 'idempotency_key_busy');
  assert.ok(answers.some(({ status }) => status === 201));
  assert.equal(await server.queue.countOf({}), 1);
});

test('jobs of a server killed before it stored its response are not enqueued again', async (t) => {
  const server = await startServer(t);
  const body = [{ command: 'echo 1' }, { command: 'echo 2' }];
  const first = await create(server, 'k1', body);
  const store = await openStore(server.queue.place, { environment: {} });
  t.after(() => store.close());
  await store.idempotency.forget(Number.MAX_SAFE_INTEGER); // as if the answer had never been kept
  const again = await create(server, 'k1', body);
  assert.deepEqual(again.json, first.json);
  assert.equal(await server.queue.countOf({}), 2);
});

test('a key left open by a crashed server is usable again after ten seconds', async (t) => {
  const server = await startServer(t);
  const left = { principal: 'owner', requestHash: 'x' };
  const store = await openStore(server.queue.place, { environment: {} });
  t.after(() => store.close());
  await store.idempotency.begin({ ...left, key: 'old', createdAt: store.now() - 11_000 }, 0);
  await store.idempotency.begin({ ...left, key: 'young', createdAt: store.now() + 60_000 }, 0);
  assert.equal((await create(server, 'old', { command: 'true' })).status, 201);
  assert.equal((await create(server, 'young', { command: 'true' })).status, 409);
  assert.equal(await server.queue.countOf({}), 1);
});

test("the trace of a request continues in its jobs, and the server's shell adds nothing", async (t) => {
  const server = await startServer(t, {
    environment: { SHELL_SECRET: '1', TRACEPARENT: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
  });
  const traceparent = `00-${'3'.repeat(32)}-${'4'.repeat(16)}-01`;
  const envOf = async (headers: Record<string, string>): Promise<unknown> => {
    const { json } = await server.ask('POST', '/jobs', { command: 'true', env: { A: '1' } }, headers);
    const { environment, env } = (await server.ask('GET', `/jobs/${json.jobs[0].id}`)).json;
    assert.equal(environment, null);
    return env;
  };
  for (const key of [{}, { 'idempotency-key': 'k1' }]) {
    assert.deepEqual(await envOf({ traceparent, tracestate: 'a=b', ...key }), {
      A: '1',
      TRACEPARENT: traceparent,
      TRACESTATE: 'a=b',
    });
  }
  for (const key of [{}, { 'idempotency-key': 'k2' }]) assert.deepEqual(await envOf(key), { A: '1' });
  assert.deepEqual(await envOf({ traceparent: 'nonsense' }), { A: '1' });
});
