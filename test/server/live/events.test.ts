// The event stream of a page: what it is told, when, and after it was away.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { QueueError } from '../../../src/errors/errors.ts';
import type { Principal, Role } from '../../../src/server/role.ts';
import { addWorker, claim, runJob } from '../../support/library.ts';
import { until } from '../../support/until.ts';
import { bareServer } from '../bare-server.ts';
import { startServer } from '../support.ts';
import { openStream } from './support.ts';

test('a stream sends the state of each topic, then its changes', async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/jobs', { id: 'a', command: 'true' });
  const stream = await openStream(t, server, '/events?topics=stats,job:a,jobs,job:none');
  assert.equal(stream.headers.get('content-type'), 'text/event-stream');
  assert.match(stream.headers.get('cache-control') ?? '', /no-store/);
  assert.equal((await stream.next('stats')).data.pending, 1);
  assert.equal((await stream.next('job')).data.state, 'pending');
  await stream.next('changed');
  assert.deepEqual((await stream.next('gone')).data, { id: 'none' });
  await server.ask('POST', '/jobs/a/cancel');
  assert.equal((await stream.next('stats', ({ pending }) => pending === 0)).data.cancelled, 1);
  assert.equal((await stream.next('job')).data.state, 'cancelled');
  await stream.next('changed');
  assert.deepEqual(server.log, []);
});

test("events equal the API's responses", async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/jobs', { id: 'a', command: 'true', env: { SECRET: 'x' } });
  const stream = await openStream(t, server, '/events?topics=stats,job:a');
  const { history: _, environment: _e, waiting_reasons: _w, ...job } = (await server.ask('GET', '/jobs/a')).json;
  assert.deepEqual((await stream.next('stats')).data.queues[0].queue, 'default');
  assert.deepEqual((await stream.next('job')).data, job);
});

test("a change by another program is sent like one of the server's own", async (t) => {
  const server = await startServer(t);
  const stream = await openStream(t, server, '/events?topics=jobs');
  await stream.next('changed');
  const other = new DatabaseSync(server.queue.place.name, { timeout: 10_000 });
  t.after(() => other.close());
  other.exec("INSERT INTO settings VALUES ('max_retries', '5')");
  await stream.next('changed');
});

test('a client that reconnects receives the differences since its last event', async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/jobs', [
    { id: 'a', command: 'true' },
    { id: 'b', command: 'true' },
  ]);
  const path = '/events?topics=job:a,job:b';
  const first = await openStream(t, server, path);
  await first.next('job', ({ id }) => id === 'a');
  const { id: lastId = '' } = await first.next('job', ({ id }) => id === 'b');
  first.hangUp();
  await server.ask('POST', '/jobs/b/cancel');
  const second = await openStream(t, server, path, { 'last-event-id': lastId });
  const { data, id } = await second.next('job');
  assert.deepEqual([data.id, data.state], ['b', 'cancelled']);
  assert.equal(second.events.length, 1);
  second.hangUp();
  for (const strange of [lastId, `${id}~x`, 'x~y', '~~~', '%']) {
    const other = await openStream(t, server, '/events?topics=job:a', { 'last-event-id': strange });
    assert.equal((await other.next('job')).data.id, 'a');
    other.hangUp();
  }
});

test('a silent stream sends keep-alives', async (t) => {
  const server = await startServer(t, { limits: { aliveEveryMs: 50 } });
  const stream = await openStream(t, server, '/events');
  assert.match(stream.text() || 'retry: 1', /retry: \d+/);
  await until('a sign of life', () => stream.text().includes(': alive\n\n'));
});

test('unknown topics, and too many, are rejected with a sentence', async (t) => {
  const server = await startServer(t);
  for (const topics of [
    'stat',
    'job:',
    'job:a%20b',
    'output',
    'output:a@x',
    'job:a@1',
    Array.from({ length: 101 }, (_, i) => `job:${i}`).join(),
  ]) {
    const { status, json } = await server.ask('GET', `/events?topics=${topics}`);
    assert.deepEqual([status, json.code], [400, 'invalid_request']);
  }
  assert.equal((await fetch(`${server.url}/api/v1/events`)).status, 401);
});

test('values of variables are sent only to admins, and a client that lost its access receives nothing more', async (t) => {
  let role: Role | null = 'viewer';
  const identify = async (): Promise<Principal> => {
    if (role === null) throw new QueueError('not_logged_in');
    return { name: 'anybody', role };
  };
  const server = await bareServer(t, { identify, limits: { aliveEveryMs: 50 } });
  await server.queue.enqueue([{ id: 'a', command: 'true', env: { SECRET: 'x' } }]);
  const stream = await openStream(t, server, '/events?topics=job:a');
  assert.deepEqual((await stream.next('job')).data.env, { SECRET: '***' });
  role = 'admin';
  const admins = await openStream(t, server, '/events?topics=job:a');
  assert.deepEqual((await admins.next('job')).data.env, { SECRET: 'x' });
  role = null;
  await until('both streams end', () => stream.isEnded() && admins.isEnded());
});

test('output is sent as it is written, over attempts, and continues where a client left off', async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/jobs', { id: 'a', command: 'true' });
  await addWorker(server.queue, 'w1');
  const stream = await openStream(t, server, '/events?topics=output:a');
  const lease = await claim(server.queue, 'a', 'w1');
  const keep = (from: number, text: string) =>
    server.queue.store.outputs.keep([{ ...lease, from, data: Buffer.from(text) }]);
  await keep(0, 'one\n');
  const { data, id = '' } = await stream.next('output');
  assert.deepEqual(data, { id: 'a', attempt: 1, run: 1, offset: 0, next: 4, text: 'one\n' });
  stream.hangUp();
  await keep(4, 'two\n');
  const again = await openStream(t, server, '/events?topics=output:a', { 'last-event-id': id });
  const { data: more } = await again.next('output');
  assert.deepEqual([more.offset, more.text], [4, 'two\n']);
});

test('a finished job is sent with its last output', async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/jobs', { id: 'a', command: 'true', max_retries: 0 });
  await addWorker(server.queue, 'w1');
  const stream = await openStream(t, server, '/events?topics=job:a,output:a');
  await stream.next('job');
  await runJob(server.queue, 'a', 'w1', 'completed');
  assert.equal((await stream.next('output_end')).data.outcome, 'completed');
  assert.ok(stream.events.some(({ event, data }) => event === 'job' && data.state === 'completed'));
});

test('a bulk operation sends its progress until it has finished', async (t) => {
  const server = await startServer(t);
  await server.queue.enqueue(Array.from({ length: 20 }, () => ({ command: 'true' })));
  const { json } = await server.ask('POST', '/jobs/bulk', { action: 'cancel', filter: 'state:pending' });
  const stream = await openStream(t, server, `/events?topics=bulk:${json.bulk},bulk:none`);
  const { data } = await stream.next('bulk', ({ state }) => state === 'done');
  assert.deepEqual([data.total, data.done, data.changed], [20, 20, 20]);
  assert.deepEqual((await stream.next('gone')).data, { id: 'none' });
});
