// Many clients, slow ones and ones that go: what they cost the others, and the store.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { NO_OUTPUT } from '../../../src/job/output/output.ts';
import { streamAccount } from '../../../src/server/live/stream-account.ts';
import { addWorker, runJob } from '../../support/library.ts';
import { until } from '../../support/until.ts';
import { startServer, type TestServer } from '../support.ts';
import { openStream } from './support.ts';

const CLIENTS = 200;

test('two hundred clients receive a change for one read of the store', async (t) => {
  const server = await startServer(t);
  const streams = await Promise.all(
    Array.from({ length: CLIENTS }, () => openStream(t, server, '/events?topics=stats,jobs')),
  );
  await Promise.all(streams.map((stream) => stream.next('stats')));
  const looks = t.mock.method(server.queue, 'overview').mock;
  await server.queue.enqueue([{ command: 'true' }]);
  await Promise.all(streams.map((stream) => stream.next('stats', ({ pending }) => pending === 1)));
  assert.ok(looks.callCount() <= 4, `${looks.callCount()} looks`);
});

test('without clients the store is not read, and a new client receives the current state', async (t) => {
  const [server, other] = [await startServer(t), await startServer(t)];
  const clock = await openStream(t, other, '/events?topics=stats');
  const stream = await openStream(t, server, '/events?topics=stats');
  await Promise.all([clock.next('stats'), stream.next('stats')]);
  const ticks = t.mock.method(other.queue, 'changeMark').mock;
  const looks = t.mock.method(server.queue, 'changeMark').mock;
  await until('it is looked at', () => looks.callCount() > 1);
  stream.hangUp();
  const quiet = async (): Promise<boolean> => {
    const [before, tick] = [looks.callCount(), ticks.callCount()];
    await until('the other one looks on', () => ticks.callCount() >= tick + 3);
    return looks.callCount() === before;
  };
  await until('nobody looks any more', quiet);
  await server.queue.enqueue([{ command: 'true' }]);
  const back = await openStream(t, server, '/events?topics=stats');
  assert.equal((await back.next('stats')).data.pending, 1);
});

test('a client that disconnects frees its slot for another', async (t) => {
  const server = await startServer(t, { limits: { streams: 1 } });
  const stream = await openStream(t, server, '/events?topics=stats');
  await stream.next('stats');
  const rejected = await openStream(t, server, '/events?topics=stats');
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [429, '2']);
  stream.hangUp();
  await until('there is room', async () => (await openStream(t, server, '/events')).status === 200);
});

test('one account cannot use up the streams of another', async (t) => {
  const server = await startServer(t, { limits: { streams: 3, streamsOfOne: 2 } });
  const { secret } = await (await server.queue.accounts()).addToken({ name: 'v', role: 'viewer' }, 'test');
  const viewer = { authorization: `Bearer ${secret}` };
  for (let i = 0; i < 2; i++) await (await openStream(t, server, '/events?topics=stats', viewer)).next('stats');
  assert.equal((await openStream(t, server, '/events?topics=stats', viewer)).status, 429);
  assert.equal((await openStream(t, server, '/events?topics=stats')).status, 200);
});

test('an account counts once over all its addresses, and without login an address does not count', () => {
  const of = (name: string, peer: string): string => streamAccount({ name, role: 'viewer' }, peer);
  assert.equal(of('ann', '192.0.2.1'), of('ann', '192.0.2.2'));
  assert.notEqual(of('ann', '192.0.2.1'), of('bob', '192.0.2.1'));
  assert.notEqual(of('anybody', '192.0.2.1'), of('anybody', '192.0.2.2'));
  assert.equal(of('anybody', '2001:db8::1'), of('anybody', '2001:db8::2'));
});

test('a HEAD request uses no stream', async (t) => {
  const server = await startServer(t, { limits: { streams: 1 } });
  for (let i = 0; i < 3; i++) assert.equal((await server.ask('HEAD', '/events')).status, 200);
});

test('a client that stops reading is buffered up to a limit, then disconnected, and others are not affected', async (t) => {
  const server = await startServer(t, { limits: { streams: 2, unreadWithinMs: 300 } });
  await addOutput(server, 'big', 512 * 1024 * 1024);
  const reads = t.mock.method(server.queue, 'outputOf').mock;
  const lazy = silentReader(server, '/events?topics=output:big@0');
  t.after(() => lazy.destroy());
  const stream = await openStream(t, server, '/events?topics=stats');
  await stream.next('stats');
  await until('the silent one is there', () => reads.callCount() > 0);
  await server.queue.enqueue([{ command: 'true' }]);
  await stream.next('stats', ({ pending }) => pending === 1);
  await until('the silent one is cut off', async () => {
    const third = await openStream(t, server, '/events');
    third.hangUp();
    return third.status === 200;
  });
  assert.ok(reads.callCount() < 1000, `${reads.callCount()} chunks were read for nobody`);
  assert.equal(stream.isEnded(), false);
});

test('a busy topic does not delay others', async (t) => {
  const server = await startServer(t);
  await addOutput(server, 'big', 512 * 1024 * 1024);
  const stream = await openStream(t, server, '/events?topics=output:big@0,stats');
  await stream.next('stats');
  await server.queue.enqueue([{ command: 'true' }]);
  await stream.next('stats', ({ pending }) => pending === 1);
  stream.hangUp();
});

test('while another program locks the database, streams continue, and delayed events follow', async (t) => {
  const server = await startServer(t);
  const stream = await openStream(t, server, '/events?topics=stats');
  await stream.next('stats');
  const holder = new DatabaseSync(server.queue.place.name, { timeout: 10_000 });
  t.after(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  const looks = t.mock.method(server.queue, 'changeMark').mock;
  const created = server.ask('POST', '/jobs', { command: 'true' });
  await until('it is looked at all the same', () => looks.callCount() > 3);
  assert.equal(stream.events.length, 1);
  holder.exec('COMMIT');
  assert.equal((await created).status, 201);
  assert.equal((await stream.next('stats')).data.pending, 1);
});

test('an unresponsive store is reported, and so is its recovery', async (t) => {
  const server = await startServer(t, { limits: { storeWithinMs: 50 } });
  const stream = await openStream(t, server, '/events?topics=stats');
  await stream.next('stats');
  const { promise, resolve } = Promise.withResolvers<string>();
  const mock = t.mock.method(server.queue, 'changeMark', () => promise).mock;
  const { data } = await stream.next('trouble');
  assert.equal(data.code, 'store_slow');
  assert.ok(Date.parse(data.since) <= Date.now());
  const late = await openStream(t, server, '/events');
  assert.equal((await late.next('trouble')).data.code, 'store_slow');
  mock.restore();
  await server.queue.enqueue([{ command: 'true' }]);
  resolve('');
  assert.equal((await stream.next('trouble')).data, null);
  assert.equal((await late.next('trouble')).data, null);
  assert.equal((await stream.next('stats')).data.pending, 1);
});

/** A job that has written so many bytes, of which none takes up any space. */
async function addOutput(server: TestServer, id: string, bytes: number): Promise<void> {
  const { queue } = server;
  await queue.enqueue([{ id, command: 'true' }]);
  await addWorker(queue, 'w1');
  await runJob(queue, id, 'w1', 'completed');
  const logPath = `${queue.place.logs}/${id}.log`;
  fs.mkdirSync(queue.place.logs, { recursive: true });
  fs.writeFileSync(logPath, '');
  fs.truncateSync(logPath, bytes);
  const [attempt] = await queue.history(id);
  const record = { ...NO_OUTPUT, bytes, head: bytes };
  await queue.store.outputs.record(id, attempt?.run ?? 1, { record, part: null, logPath });
}

function silentReader({ url, token }: TestServer, path: string): net.Socket {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}
