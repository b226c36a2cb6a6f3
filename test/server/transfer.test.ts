// A whole queue over HTTP: sent as the client takes it, taken in by parts, and nothing done for a client that has gone.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { NewToken } from '../../src/access/accounts.ts';
import { exportQueue } from '../../src/transfer/export.ts';
import { until } from '../support/until.ts';
import { startServer, type TestServer, type TestServerOptions } from './support.ts';

const commands = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `j${i}`, command: 'true', tags: ['t'] }));

/** A server whose queue has so many jobs. */
async function full(t: TestContext, count: number, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer(t, options);
  await server.queue.enqueue(commands(count));
  return server;
}

async function exported({ queue }: TestServer): Promise<string> {
  const lines: string[] = [];
  const wanted = { history: true, outputs: true, filter: null };
  await exportQueue(
    queue,
    wanted,
    (line) => void lines.push(line),
    () => {},
  );
  return lines.join('');
}

const request = ({ url, token }: TestServer, method: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/api/v1${path}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });

/** Sends a part as it is; the answer as JSON. */
async function send(server: TestServer, id: string, from: number, body: string) {
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await request(server, 'PUT', `/imports/${id}?from=${from}`, { body, headers });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function sent(server: TestServer, file: string, parts = 3): Promise<string> {
  const { json } = await server.ask('POST', '/imports');
  const size = Math.ceil(file.length / parts);
  for (let from = 0; from < file.length; from += size)
    assert.equal((await send(server, json.id, from, file.slice(from, from + size))).status, 200);
  return json.id;
}

async function run(server: TestServer, id: string, body = '{}'): Promise<Record<string, unknown>[]> {
  const headers = { 'content-type': 'application/json' };
  const response = await request(server, 'POST', `/imports/${id}/run`, { body, headers });
  assert.equal(response.status, 200);
  return (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('another server can import an export, however it is split', async (t) => {
  const [from, to] = [await full(t, 1200), await startServer(t)];
  const response = await request(from, 'GET', '/export?history=true&outputs=true');
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  const file = await response.text();
  const last = (await run(to, await sent(to, file, 7))).at(-1);
  assert.deepEqual(last, { imported: { jobs: 1200, attempts: 0, settings: 0, schedules: 0, skipped: 0 } });
  const withoutHeader = (text: string) => text.split('\n').slice(1);
  assert.deepEqual(withoutHeader(await exported(to)), withoutHeader(file));
  const again = (await run(to, await sent(to, file))).at(-1) as { problem: { code: string } };
  assert.equal(again.problem.code, 'job_exists');
  const skipped = (await run(to, await sent(to, file), '{"skip_existing":true}')).at(-1);
  assert.deepEqual(skipped, { imported: { jobs: 0, attempts: 0, settings: 0, schedules: 0, skipped: 1200 } });
});

test('an export of some jobs lists the dependencies that it lacks', async (t) => {
  const server = await full(t, 3);
  assert.equal((await server.ask('GET', '/export?state=deaf')).json.code, 'invalid_request');
  const response = await request(server, 'GET', '/export?state=dead,pending&queue=default');
  assert.match(await response.text(), /"end":\{"settings":0,"rows":0,"jobs":3/);
  const { json } = await server.ask('GET', '/activity');
  assert.equal(json.activity[0].action, 'exportQueue', 'that somebody took all of it away is written down');
});

test('parts are sent in order by one client, and a lost part can be sent again', async (t) => {
  const server = await startServer(t);
  const { json } = await server.ask('POST', '/imports');
  assert.deepEqual((await send(server, json.id, 0, 'abc')).json, { id: json.id, received: 3 });
  for (const wrong of [0, 2, 4]) {
    const { status, json: problem } = await send(server, json.id, wrong, 'abc');
    assert.deepEqual([status, problem.code], [409, 'import_part_misplaced']);
  }
  assert.deepEqual((await server.ask('GET', `/imports/${json.id}`)).json, { id: json.id, received: 3 });
  const accounts = await server.queue.accounts();
  const { secret } = await accounts.addToken({ name: 'other', role: 'admin' } as NewToken, 'somebody');
  const others = await server.ask('GET', `/imports/${json.id}`, undefined, {
    authorization: `Bearer ${secret}`,
  });
  assert.equal(others.json.code, 'import_not_found');
  const [problem] = await run(server, json.id);
  assert.match(JSON.stringify(problem), /invalid_export.*line 1 has no export header/);
  assert.equal((await server.ask('GET', `/imports/${json.id}`)).json.code, 'import_not_found');
  assert.equal((await server.ask('DELETE', `/imports/${json.id}`)).status, 204);
});

test('uploads are bounded in size, number and time', async (t) => {
  const limits = { importBytes: 10, imports: 2, importWithinMs: 500 };
  const server = await startServer(t, { limits });
  const { json } = await server.ask('POST', '/imports');
  assert.equal((await send(server, json.id, 0, '12345678')).status, 200);
  assert.equal((await send(server, json.id, 8, '90a')).json.code, 'body_too_large');
  assert.equal((await send(server, json.id, 8, '90')).status, 200, 'what was too large does not count');
  await server.ask('POST', '/imports');
  assert.equal((await server.ask('POST', '/imports')).json.code, 'too_busy');
  await until('they are forgotten', async () => (await server.ask('POST', '/imports')).status === 201);
});

test('an import stops when its client disconnects, imported jobs are complete, and the rest can follow', async (t) => {
  const [from, to] = [await full(t, 8000), await startServer(t)];
  const file = await exported(from);
  const leaving = new AbortController();
  const response = await request(to, 'POST', `/imports/${await sent(to, file)}/run`, {
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; !text.includes('imported'); ) text += (await reader?.read())?.value ?? '';
  leaving.abort();
  await reader?.read().catch(() => {});
  const id = await sent(to, file);
  const [{ imported = null } = {}] = (await run(to, id, '{"skip_existing":true}')).slice(-1) as {
    imported?: { jobs: number; skipped: number };
  }[];
  assert.ok(imported !== null && imported.jobs > 0 && imported.skipped > 0, JSON.stringify(imported));
  assert.equal(await to.queue.countOf({}), 8000);
  assert.deepEqual(to.log, []);
});

test('an export holds its slot until the last line is sent or its client disconnects', async (t) => {
  const limits = { transfersAtOnce: 1, heavyWaitMs: 20 };
  const server = await full(t, 20_000, { limits });
  const leaving = new AbortController();
  const unread = await request(server, 'GET', '/export', { signal: leaving.signal });
  assert.equal(unread.status, 200);
  assert.equal((await server.ask('GET', '/export')).json.code, 'too_busy');
  assert.equal((await server.ask('GET', '/stats')).status, 200, 'others are served');
  leaving.abort();
  await until('its place is free', async () => {
    const next = await request(server, 'GET', '/export');
    await next.body?.cancel();
    return next.status === 200;
  });
});

test('workers to stop can be named in only one way', async (t) => {
  const server = await startServer(t);
  const stop = async (body: unknown) => (await server.ask('POST', '/workers/stop', body)).json.code;
  assert.equal(await stop({}), 'invalid_request');
  assert.equal(await stop({ workers: ['w1'], all: true }), 'invalid_request');
  assert.equal(await stop({ workers: ['w1'] }), 'worker_not_found');
  assert.equal(await stop({ host: 'moon' }), 'host_not_found');
  const { status, json } = await server.ask('POST', '/workers/stop', { all: true, wait: false });
  assert.deepEqual([status, json], [202, { workers: [] }]);
});

test('pruning requires an admin, previews its count, and is a bulk operation', async (t) => {
  const server = await full(t, 700);
  await server.queue.cancel(commands(650).map(({ id }) => id));
  assert.deepEqual((await server.ask('POST', '/jobs/prune', { dry_run: true })).json, { count: 650 });
  assert.deepEqual((await server.ask('POST', '/jobs/prune', { dry_run: true, keep: 50 })).json, {
    count: 600,
  });
  const old = { dry_run: true, older_than_seconds: 3600 };
  assert.deepEqual((await server.ask('POST', '/jobs/prune', old)).json, { count: 0 });
  const wrong = await server.ask('POST', '/jobs/prune', { states: ['pending'] });
  assert.equal(wrong.json.code, 'invalid_request');
  const { json } = await server.ask('POST', '/jobs/prune', { keep: 50 });
  const ended = await until('it has ended', async () => {
    const { json: run } = await server.ask('GET', `/bulk/${json.bulk}`);
    return run.state === 'running' ? undefined : run;
  });
  assert.deepEqual([ended.action, ended.state, ended.changed], ['prune', 'done', 600]);
  assert.equal(await server.queue.countOf({}), 100);
});
