// What jobs wrote, over HTTP: bytes, ranges and as it comes, whatever they are.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { NO_OUTPUT, type OutputRecord } from '../../src/job/output/output.ts';
import { type Stamp, STDERR, STDOUT } from '../../src/job/output/output-stamps.ts';
import { addWorker, claim, runJob } from '../support/library.ts';
import { openStream } from './live/support.ts';
import { startServer, type TestServer } from './support.ts';

type Answered = { status: number; headers: Headers; body: Buffer };

async function output(
  { url, token }: TestServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(`${url}/api/v1/jobs/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** A job that has ended and has written this; a record says what was kept of it, and where. */
async function jobThatWrote(
  { queue }: TestServer,
  id: string,
  content: Buffer,
  record: Partial<OutputRecord> = {},
  size = content.length,
): Promise<string> {
  await queue.enqueue([{ id, command: 'true', max_retries: 0, split_output: record.stamps !== undefined }]);
  await addWorker(queue, `w-${id.length}-${performance.now()}`);
  const [worker] = (await queue.workers()).slice(-1);
  await runJob(queue, id, worker?.id ?? '', 'completed');
  const logPath = `${queue.place.logs}/${encodeURIComponent(id)}.log`;
  fs.mkdirSync(queue.place.logs, { recursive: true });
  fs.writeFileSync(logPath, content);
  fs.truncateSync(logPath, size);
  const whole = { ...NO_OUTPUT, bytes: size, head: size, ...record };
  await queue.store.outputs.record(id, 1, { record: whole, part: null, logPath });
  return logPath;
}

test('output is returned byte for byte, as text that a browser cannot interpret otherwise', async (t) => {
  const server = await startServer(t);
  const bytes = Buffer.concat([
    Buffer.from('<script>alert(1)</script>\u001b[31m\u0000'),
    Buffer.from([0xff, 0xfe, 0xc3]),
  ]);
  await jobThatWrote(server, 'a:b', bytes);
  const { status, headers, body } = await output(server, 'a:b/output');
  assert.equal(status, 200);
  assert.deepEqual(body, bytes);
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
  assert.equal(headers.get('content-disposition'), 'inline; filename="a_b.1.log"');
  assert.deepEqual([headers.get('x-queuectl-size'), headers.get('x-queuectl-attempt')], [`${bytes.length}`, '1']);
  const saved = await output(server, 'a:b/output?download=true');
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment;/);
});

test('ranges follow HTTP', async (t) => {
  const server = await startServer(t);
  await jobThatWrote(server, 'a', Buffer.from('0123456789'));
  const ranges: [string, number, string, string | null][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=1-2,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ];
  for (const [range, status, text, contentRange] of ranges) {
    const answered = await output(server, 'a/output', { range });
    const { headers, body } = answered;
    assert.deepEqual(
      [answered.status, String(body), headers.get('content-range'), headers.get('content-length')],
      [status, text, contentRange, String(text.length)],
      range,
    );
  }
  const beyond = await output(server, 'a/output', { range: 'bytes=10-' });
  assert.deepEqual([beyond.status, JSON.parse(String(beyond.body)).code], [416, 'range_not_satisfiable']);
  const changed = await output(server, 'a/output', { range: 'bytes=2-4', 'if-range': '"x"' });
  assert.equal(changed.status, 200);
});

test('if the middle of an output was dropped, ranges count the written bytes and report the available ones', async (t) => {
  const server = await startServer(t);
  const record = { bytes: 1000, head: 3, tail: 4, headAt: 0, tailAt: 3 };
  await jobThatWrote(server, 'a', Buffer.from('abcWXYZ'), record);
  const whole = await output(server, 'a/output');
  assert.deepEqual([String(whole.body), whole.headers.get('x-queuectl-left-out')], ['abcWXYZ', '3-995']);
  const pieces = await Promise.all(
    ['bytes=1-', 'bytes=3-', 'bytes=500-996', 'bytes=-2', 'bytes=0-999'].map(async (range) => {
      const { headers, body } = await output(server, 'a/output', { range });
      return [String(body), headers.get('content-range')];
    }),
  );
  assert.deepEqual(pieces, [
    ['bc', 'bytes 1-2/1000'],
    ['WXYZ', 'bytes 996-999/1000'],
    ['W', 'bytes 996-996/1000'],
    ['YZ', 'bytes 998-999/1000'],
    ['abc', 'bytes 0-2/1000'],
  ]);
});

test('ten gigabytes are read from the requested position only', async (t) => {
  const server = await startServer(t);
  const size = 10 * 1024 ** 3;
  await jobThatWrote(server, 'a', Buffer.from('begin'), {}, size);
  const { status, headers, body } = await output(server, 'a/output', { range: `bytes=${size - 3}-` });
  assert.deepEqual([status, body], [206, Buffer.alloc(3)]);
  assert.equal(headers.get('x-queuectl-size'), String(size));
  const stopped = new AbortController();
  const whole = await fetch(`${server.url}/api/v1/jobs/a/output`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: stopped.signal,
  });
  const first = await whole.body?.getReader().read();
  assert.equal(Buffer.from(first?.value ?? []).toString('utf8', 0, 5), 'begin');
  assert.equal(whole.headers.get('content-length'), String(size));
  stopped.abort();
});

test('streams that were stored separately are returned separately, others are not', async (t) => {
  const server = await startServer(t);
  const stamps: Stamp[] = [
    { at: 0, ms: 1, stream: STDOUT },
    { at: 4, ms: 2, stream: STDERR },
    { at: 8, ms: 3, stream: STDOUT },
  ];
  await jobThatWrote(server, 'a', Buffer.from('outAerrAoutB'), { stamps });
  assert.equal(String((await output(server, 'a/output?stream=stdout')).body), 'outAoutB');
  assert.equal(String((await output(server, 'a/output?stream=stderr')).body), 'errA');
  await jobThatWrote(server, 'b', Buffer.from('both'));
  const rejected = await output(server, 'b/output?stream=stdout');
  assert.match(String(rejected.body), /stdout and stderr of job 'b' were not stored separately/);
  assert.equal(rejected.status, 400);
});

test('missing output is explained: no attempt yet, an unknown attempt, a deleted log', async (t) => {
  const server = await startServer(t);
  await server.queue.enqueue([{ id: 'new', command: 'true' }]);
  const none = await output(server, 'new/output');
  assert.deepEqual([none.status, none.body.length, none.headers.get('x-queuectl-size')], [200, 0, '0']);
  const log = await jobThatWrote(server, 'a', Buffer.from('x'.repeat(5000)));
  fs.rmSync(log);
  const codes = await Promise.all(
    ['new/output?attempt=1', 'a/output?attempt=2', 'a/output', 'nobody/output', 'a/output?attempt=0'].map(
      async (path) => JSON.parse(String((await output(server, path)).body)).code,
    ),
  );
  assert.deepEqual(codes, [
    'attempt_not_found',
    'attempt_not_found',
    'output_gone',
    'job_not_found',
    'invalid_request',
  ]);
  assert.deepEqual(server.log, []);
});

test('an output that is cut off on the way is detectably incomplete', async (t) => {
  const server = await startServer(t);
  const log = await jobThatWrote(server, 'a', Buffer.alloc(1024), {}, 64 * 1024 ** 2);
  const response = await fetch(`${server.url}/api/v1/jobs/a/output`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  fs.truncateSync(log, 1024);
  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
  });
});

test('output is followed as it is written until its attempt has finished, without splitting characters', async (t) => {
  const server = await startServer(t);
  const { queue } = server;
  await queue.enqueue([{ id: 'a', command: 'true', max_retries: 0 }]);
  await addWorker(queue, 'w1');
  const stream = await openStream(t, server, '/jobs/a/output/events');
  const lease = await claim(queue, 'a', 'w1');
  const keep = (from: number, data: Buffer) => queue.store.outputs.keep([{ ...lease, from, data }]);
  const euro = Buffer.from('€');
  await keep(0, Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)]));
  assert.deepEqual((await stream.next('message')).data, { offset: 0, next: 1, text: 'a' });
  await keep(3, euro.subarray(2));
  const { data, id } = await stream.next('message');
  assert.deepEqual([data, id], [{ offset: 1, next: 4, text: '€' }, '4']);
  const from = await openStream(t, server, '/jobs/a/output/events?attempt=1&from=1');
  assert.deepEqual((await from.next('message')).data.text, '€');
});

test('a client that followed an output to its end is informed and need not return', async (t) => {
  const server = await startServer(t);
  await jobThatWrote(server, 'a', Buffer.from([0x61, 0xff, 0xc3]));
  const stream = await openStream(t, server, '/jobs/a/output/events');
  assert.equal((await stream.next('message')).data.text, 'a\ufffd\ufffd');
  const { data, id = '' } = await stream.next('end');
  assert.deepEqual([data.attempt, data.offset, data.outcome], [1, 3, 'completed']);
  const again = await openStream(t, server, '/jobs/a/output/events', { 'last-event-id': id });
  assert.equal(again.status, 204);
});

test('output of a lost attempt is found by its run, with the time and the stream of each part', async (t) => {
  const server = await startServer(t);
  const stamps: Stamp[] = [
    { at: 0, ms: 1_700_000_000_000, stream: STDOUT },
    { at: 4, ms: 1_700_000_001_000, stream: STDERR },
  ];
  await jobThatWrote(server, 'split', Buffer.from('out\nerr\n'), { stamps });
  const { json } = await server.ask('GET', '/jobs/split/output/stamps?run=1');
  assert.deepEqual(json, {
    size: 8,
    has_marks: false,
    stamps: [
      { offset: 0, at: '2023-11-14T22:13:20.000Z', stream: 'stdout' },
      { offset: 4, at: '2023-11-14T22:13:21.000Z', stream: 'stderr' },
    ],
  });
  assert.equal((await output(server, 'split/output?run=1')).body.toString(), 'out\nerr\n');
  assert.equal((await server.ask('GET', '/jobs/split/output/stamps?run=2')).json.code, 'attempt_not_found');
});
