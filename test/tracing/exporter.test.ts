// Sending to a collector: in batches, again when it is busy, and never more than there is room and time for.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Exporter, type ExporterOptions } from '../../src/tracing/exporter.ts';
import { makePoster } from '../../src/tracing/post.ts';
import { newReceiver, type Receiver, type Reply } from '../support/receiver.ts';
import { until } from '../support/until.ts';

type Replies = (before: number) => Reply | null;

async function sending(t: TestContext, replies: Replies, more: Partial<ExporterOptions<number>> = {}) {
  const receiver = await newReceiver(t, replies);
  const lines: string[] = [];
  const poster = makePoster({
    endpoint: new URL(receiver.address),
    headers: { authorization: 'Bearer x' },
    timeoutMs: 60_000,
  });
  const exporter = new Exporter<number>({
    delayMs: 1,
    batchSize: 4,
    queueSize: 10,
    retryMs: 1,
    poster,
    write: async (batch) => JSON.stringify(batch),
    log: (line) => lines.push(line),
    ...more,
  });
  t.after(() => poster.close());
  return { receiver, exporter, lines };
}

const bodies = ({ received }: Receiver): number[][] => received.map(({ body }) => JSON.parse(body));

const OK: Reply = { status: 200, body: '{"partialSuccess":{}}' };

test('spans that arrive together are sent together, up to a batch, in order', async (t) => {
  const { receiver, exporter, lines } = await sending(t, () => OK);
  for (let i = 0; i < 9; i++) exporter.add(i);
  await until('all of it is there', () => bodies(receiver).flat().length === 9);
  assert.deepEqual(bodies(receiver), [[0, 1, 2, 3], [4, 5, 6, 7], [8]]);
  assert.equal(receiver.received[0]?.headers.authorization, 'Bearer x');
  exporter.add(9);
  await until('it is not too late for more', () => bodies(receiver).flat().length === 10);
  assert.deepEqual(lines, []);
});

for (const status of [429, 502, 503, 504])
  test(`a batch rejected with ${status} is sent again, and the recovery is reported`, async (t) => {
    const busy = { status, headers: { 'retry-after': '0' } };
    const { receiver, exporter, lines } = await sending(t, (before) => (before < 3 ? busy : OK));
    exporter.add(1);
    await until('it was taken', () => lines.length === 2);
    assert.deepEqual(bodies(receiver), [[1], [1], [1], [1]]);
    assert.match(lines[0] ?? '', new RegExp(`cannot export traces.*${status}`));
    assert.equal(lines[1], 'trace export resumed');
  });

test('a rejected batch is not sent again, and lost spans are counted', async (t) => {
  const { receiver, exporter, lines } = await sending(t, (before) => (before === 0 ? { status: 400 } : OK));
  exporter.add(1);
  await until('it was rejected', () => lines.length === 1);
  exporter.add(2);
  await until('the next one was taken', () => lines.length === 2);
  assert.deepEqual([bodies(receiver), lines[1]], [[[1], [2]], 'trace export resumed; 1 spans were lost']);
});

test('a partial success is reported, and nothing is sent again', async (t) => {
  const body = JSON.stringify({ partialSuccess: { rejectedSpans: '1', errorMessage: 'too old' } });
  const { receiver, exporter, lines } = await sending(t, () => ({ status: 200, body }));
  exporter.add(1);
  exporter.add(2);
  await until('it was said', () => lines.length === 1);
  assert.match(lines[0] ?? '', /the collector rejected 1 spans: too old$/);
  assert.equal(receiver.received.length, 1);
});

test('a batch is given up after five tries', async (t) => {
  const { receiver, exporter, lines } = await sending(t, (before) => (before < 5 ? { status: 503 } : OK));
  exporter.add(1);
  await until('it was tried five times', () => receiver.received.length === 5);
  exporter.add(2);
  await until('the next one was taken', () => lines.length === 2);
  assert.deepEqual(bodies(receiver).at(-1), [2]);
});

test('spans beyond the buffer are dropped, so memory is bounded', async (t) => {
  const { receiver, exporter, lines } = await sending(t, () => null);
  for (let i = 0; i < 100; i++) exporter.add(i);
  await until('the first batch is on its way', () => receiver.received.length === 1);
  for (let i = 100; i < 200; i++) exporter.add(i);
  assert.match(lines[0] ?? '', /spans arrive faster than they can be sent/);
  await exporter.end(1);
  assert.deepEqual(bodies(receiver), [[0, 1, 2, 3]]);
});

test('shutdown sends the rest without retries, and finishes in time', async (t) => {
  const good = await sending(t, () => OK, { delayMs: 60_000 });
  good.exporter.add(1);
  await good.exporter.end(60_000);
  assert.deepEqual(bodies(good.receiver), [[1]]);
  const atOnce: Reply = { status: 503, headers: { 'retry-after': '0' } };
  const busy = await sending(t, (before) => (before === 0 ? atOnce : { status: 503 }), { retryMs: 60_000 });
  busy.exporter.add(1);
  await until('it waits to try again, which it says the second time', () => busy.lines.length === 1);
  await busy.exporter.end(60_000);
  assert.equal(busy.receiver.received.length, 3);
  const silent = await sending(t, () => null);
  silent.exporter.add(1);
  await silent.exporter.end(20);
  assert.match(silent.lines[0] ?? '', /the final export took more than 20 ms/);
});

test('an endless response is cut off', async (t) => {
  const { receiver, exporter } = await sending(t, () => ({ status: 200, body: 'x'.repeat(1_000_000) }));
  exporter.add(1);
  await until('it was sent', () => receiver.received.length === 1);
  await exporter.end(60_000);
});

test('a batch that cannot be encoded is lost, and the next one is sent', async (t) => {
  const write = async (batch: readonly number[]) => {
    if (batch.includes(0)) throw new Error('no');
    return JSON.stringify(batch);
  };
  const { receiver, exporter, lines } = await sending(t, () => OK, { write });
  for (let i = 0; i < 5; i++) exporter.add(i);
  await until('the rest is there', () => bodies(receiver).length === 1);
  assert.deepEqual(bodies(receiver), [[4]]);
  await until('it is said', () => lines.length === 2);
});
