// One delivery: what is sent, what is rejected before anything is sent, and what is not waited for.

import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Delivery, deliver } from '../../src/webhook/deliver.ts';
import { newReceiver } from '../support/receiver.ts';

const delivery = (address: string, more: Partial<Delivery> = {}): Delivery => ({
  address,
  body: '{"é":"🦊"}',
  event: 'dead',
  id: 'a:dead:1',
  secret: null,
  traceparent: null,
  allowsPrivate: true,
  timestamp: 1,
  ...more,
});

test('any response from 200 to 299 counts as delivered', async (t) => {
  for (const status of [200, 202, 204, 299, 301, 304, 400, 404, 500]) {
    const receiver = await newReceiver(t, () => ({ status }));
    const { isAccepted, line } = await deliver(delivery(receiver.address));
    assert.equal(isAccepted, status < 300, line);
    assert.match(line, new RegExp(`^returned ${status}`));
    assert.equal(receiver.received[0]?.body, '{"é":"🦊"}');
  }
});

test('the trace of a delivery is sent, if there is one', async (t) => {
  const receiver = await newReceiver(t);
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  await deliver(delivery(receiver.address, { traceparent }));
  await deliver(delivery(receiver.address));
  const headers = receiver.received.map((one) => one.headers.traceparent);
  assert.deepEqual(headers, [traceparent, undefined]);
});

test('a receiver that does not respond in time is given up', async (t) => {
  const receiver = await newReceiver(t, () => null);
  await assert.rejects(
    deliver(delivery(receiver.address, { withinMs: 50 })),
    /^Error: no response from 127\.0\.0\.1:\d+ within 0\.05 s$/,
  );
});

test('an endless response is cut off', async (t) => {
  const server = createServer((_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(100)), 1);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { body, isAccepted } = await deliver(delivery(`http://127.0.0.1:${port}/`));
  assert.deepEqual([body.length, isAccepted], [1024, true]);
});

test('a host name is checked by its addresses, and nothing is sent to a private one', async (t) => {
  const receiver = await newReceiver(t);
  const address = `http://localhost:${receiver.port}/`;
  await assert.rejects(deliver(delivery(address, { allowsPrivate: false })), /localhost resolves to (127\.|::1)/);
  assert.deepEqual(receiver.received, []);
});

/** Each question is answered with the next of these. */
function answering(t: TestContext, ...answers: (readonly string[])[]): () => number {
  const of = (addresses: readonly string[] = []) => addresses.map((address) => ({ address, family: 4 }));
  const mocked = t.mock.method(dns, 'lookup', async () => of(answers.shift()) as never);
  syncBuiltinESMExports();
  t.after(() => {
    mocked.mock.restore();
    syncBuiltinESMExports();
  });
  return () => mocked.mock.callCount();
}

test('a host name is resolved once, and the connection uses the checked address', async (t) => {
  const receiver = await newReceiver(t);
  const questions = answering(t, ['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']);
  await deliver(delivery(`http://changing.example:${receiver.port}/`));
  assert.deepEqual([receiver.received.length, questions()], [1, 1]);
});

test('a host name with one private address among others is rejected', async (t) => {
  const receiver = await newReceiver(t);
  answering(t, ['93.184.215.14', '127.0.0.1'], ['127.0.0.1']);
  const address = `http://mixed.example:${receiver.port}/`;
  await assert.rejects(deliver(delivery(address, { allowsPrivate: false })), /mixed\.example resolves to 127\.0\.0\.1/);
  assert.deepEqual(receiver.received, []);
});

test('an unknown host is named', async () => {
  await assert.rejects(deliver(delivery('http://no-such-host.invalid/')), /host 'no-such-host/);
});

test('proxy variables are ignored', async (t) => {
  const receiver = await newReceiver(t);
  const proxy = await newReceiver(t);
  process.env.http_proxy = proxy.address;
  t.after(() => delete process.env.http_proxy);
  await deliver(delivery(receiver.address));
  assert.deepEqual([receiver.received.length, proxy.received.length], [1, 0]);
});
