// What cannot be understood or taken in: the right status, a sentence, nothing changed, and the server goes on.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { checkProblem } from './answers.ts';
import { startServer, type TestServer } from './support.ts';

interface Raw {
  readonly status: number;
  readonly type: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at is what it is about
  readonly json: any;
}

/** A body as it is, and a path that nobody tidies up. */
function sendRaw(
  { url, token }: TestServer,
  method: string,
  path: string,
  body: string | Buffer,
  type = 'application/json',
): Promise<Raw> {
  const { port } = new URL(url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      const contentType = response.headers['content-type'] ?? null;
      resolve({
        status: response.statusCode ?? 0,
        type: contentType,
        json: contentType?.includes('json') ? JSON.parse(text) : null,
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const REJECTED: [what: string, status: number, code: string, body: string | Buffer, type?: string][] = [
  ['JSON that ends too early', 400, 'invalid_json', '{"command": "true"'],
  ['JSON with a comma too many', 400, 'invalid_json', '{"command": "true",}'],
  ['nothing at all', 400, 'invalid_json', ''],
  ['bytes that are no text', 400, 'invalid_json', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['a text instead of a job', 400, 'invalid_request', '"true"'],
  ['no jobs', 400, 'invalid_request', '[]'],
  ['an unknown field', 400, 'invalid_job', '{"command":"true","prioritty":1}'],
  ['a wrong type', 400, 'invalid_job', '{"command":"true","priority":"high"}'],
  ['no command', 400, 'command_required', '{}'],
  ['a form', 415, 'not_json', 'command=true', 'application/x-www-form-urlencoded'],
  ['JSON that does not say so', 415, 'not_json', '{"command":"true"}', 'text/plain'],
  ['a state', 400, 'invalid_job', '{"command":"true","state":"dead"}'],
  ['thousands of brackets', 400, 'invalid_request', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
];

test('an invalid job is rejected with the right status, and nothing is enqueued', async (t) => {
  const server = await startServer(t);
  for (const [what, status, code, body, type] of REJECTED) {
    const answer = await sendRaw(server, 'POST', '/api/v1/jobs', body, type);
    assert.deepEqual([answer.status, answer.json.code], [status, code], what);
    checkProblem(answer.status, answer.type, answer.json);
  }
  assert.equal(await server.queue.countOf({}), 0);
  assert.deepEqual(server.log, []);
});

test('a path with .. leads out of the API to the page at most, and to no file', async (t) => {
  const server = await startServer(t);
  for (const path of ['/api/v1/jobs/%2e%2e', '/api/v1/jobs/..%2f..%2fx', '/api/v1/../v1/nothing']) {
    const answer = await sendRaw(server, 'GET', path, '');
    assert.deepEqual([answer.status, answer.type], [404, 'application/problem+json'], path);
  }
  const out = await sendRaw(server, 'GET', '/api/v1/jobs/../../../etc/passwd', '');
  assert.ok(out.status === 404 || out.type?.startsWith('text/html'), `${out.status} ${out.type}`);
});

test('a body of 100 MB is rejected before it is read, announced or not', async (t) => {
  const server = await startServer(t);
  const announced = await sendLong(server, { 'content-length': String(100 * MIB) });
  const streamed = await sendLong(server, { 'transfer-encoding': 'chunked' });
  for (const { status, sent } of [announced, streamed]) {
    assert.equal(status, 413);
    assert.ok(sent < 64 * MIB, `${sent} bytes were taken`);
  }
  assert.equal((await server.ask('GET', '/stats')).status, 200);
  assert.equal(await server.queue.countOf({}), 0);
});

const MIB = 1024 * 1024;

/** Goes on sending until there is an answer, or nobody takes more. */
function sendLong({ url, token }: TestServer, headers: Record<string, string>) {
  const { port } = new URL(url);
  const chunk = Buffer.alloc(MIB, ' ');
  return new Promise<{ status: number; sent: number }>((resolve, reject) => {
    let [sent, status] = [0, 0];
    const long = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/v1/jobs',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        status = response.statusCode ?? 0;
        response.resume().on('close', () => {
          long.destroy();
          resolve({ status, sent });
        });
      },
    );
    long.on('error', (error) => (status === 0 ? reject(error) : resolve({ status, sent })));
    const send = (): void => {
      while (status === 0 && sent < 100 * MIB && !long.destroyed) {
        sent += MIB;
        if (!long.write(chunk)) {
          long.once('drain', send);
          return;
        }
      }
    };
    send();
  });
}

test('every problem has a code and a hint, in the problem JSON type', async (t) => {
  const { ask } = await startServer(t);
  const { json } = await ask('GET', '/jobs?limit=many');
  assert.deepEqual(Object.keys(json).sort(), ['code', 'detail', 'details', 'hint', 'status', 'title', 'type']);
  assert.match(json.detail, /'limit' in the query/);
});
