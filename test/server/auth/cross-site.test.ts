// Requests that a page of another site makes a browser send, with the cookie of somebody who is logged in.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startServer } from '../support.ts';
import { cookieOf, sharedServer } from './logins.ts';
import { raw } from './raw.ts';

describe('a logged-in user visits a hostile page', () => {
  let cookie: string;
  let host: string;
  const shared = sharedServer(async (server) => {
    cookie = await cookieOf(server, { token: server.token });
    ({ host } = new URL(server.url));
  });

  const post = (headers: readonly string[], body: string) =>
    raw(shared(), ['POST /api/v1/jobs HTTP/1.1', `Host: ${host}`, `Cookie: ${cookie}`, ...headers], body);
  const JOB = '{"command":"true"}';
  const JSON_TYPE = 'Content-Type: application/json';

  test('which also cannot read the metrics', async () => {
    const head = ['GET /metrics HTTP/1.1', `Host: ${host}`, `Cookie: ${cookie}`];
    assert.equal((await raw(shared(), [...head, 'Sec-Fetch-Site: cross-site'])).status, 403);
    assert.equal((await raw(shared(), [...head, 'Sec-Fetch-Site: same-origin'])).status, 200);
  });

  const TYPES = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'application/json',
    'application/problem+json',
  ];
  for (const site of ['cross-site', 'same-site', 'none', 'SAME-ORIGIN', 'same-origin, cross-site'])
    test(`which posts a job from ${site}, in any type: nothing is enqueued`, async () => {
      for (const type of TYPES) {
        const headers = [`Sec-Fetch-Site: ${site}`, `Content-Type: ${type}`];
        assert.equal((await post(headers, JOB)).status, 403, type);
      }
      assert.equal(await shared().queue.countOf({}), 0);
    });

  test('whose browser does not send its origin: nothing is enqueued', async () => {
    for (const type of TYPES) assert.equal((await post([`Content-Type: ${type}`], JOB)).status, 403, type);
    assert.equal((await post([], JOB)).status, 403);
    assert.equal(await shared().queue.countOf({}), 0);
  });

  test("the server's own page may only send JSON", async () => {
    const own = 'Sec-Fetch-Site: same-origin';
    for (const type of TYPES.filter((one) => one !== 'application/json'))
      assert.equal((await post([own, `Content-Type: ${type}`], JOB)).status, 415, type);
    assert.equal((await post([own], JOB)).status, 415);
    assert.equal(await shared().queue.countOf({}), 0);
    assert.equal((await post([own, JSON_TYPE], JOB)).status, 201);
    assert.equal(await shared().queue.countOf({}), 1);
  });

  test('a valid token does not help a request that a browser sends from elsewhere', async () => {
    const headers = [`Authorization: Bearer ${shared().token}`, 'Sec-Fetch-Site: cross-site', JSON_TYPE];
    assert.equal((await post(headers, JOB)).status, 403);
  });

  test('no other site may load responses to reads', async () => {
    const get = (site: string) =>
      raw(shared(), ['GET /api/v1/stats HTTP/1.1', `Host: ${host}`, `Cookie: ${cookie}`, `Sec-Fetch-Site: ${site}`]);
    assert.deepEqual([(await get('cross-site')).status, (await get('same-site')).status], [403, 403]);
    assert.deepEqual([(await get('same-origin')).status, (await get('none')).status], [200, 200]);
  });

  test('no other origin may read a response', async () => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const { head } = await raw(shared(), [
        ...[`${method} /api/v1/stats HTTP/1.1`, `Host: ${host}`, 'Origin: https://evil.example'],
        ...['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization'],
      ]);
      assert.doesNotMatch(head, /access-control-allow/i, method);
    }
  });

  test('a change by another method is rejected too', async () => {
    await shared().queue.enqueue([{ id: 'victim', command: 'true' }]);
    const lines = [`Cookie: ${cookie}`, 'Sec-Fetch-Site: cross-site'];
    for (const line of ['POST /api/v1/jobs/victim/cancel', 'DELETE /api/v1/jobs/victim', 'DELETE /api/v1/session']) {
      const { status } = await raw(shared(), [`${line} HTTP/1.1`, `Host: ${host}`, ...lines]);
      assert.ok([403, 404, 405].includes(status), line);
    }
    const override = ['GET /api/v1/jobs/victim/cancel HTTP/1.1', `Host: ${host}`, 'X-HTTP-Method-Override: POST'];
    assert.notEqual((await raw(shared(), [...override, ...lines])).status, 200);
    assert.equal((await shared().queue.find('victim')).state, 'pending');
    assert.equal((await shared().ask('GET', '/session', undefined, { cookie, authorization: '' })).status, 200);
  });
});

test('only a page of the server can use a response in a browser', async (t) => {
  const server = await startServer(t);
  const { headers } = await server.ask('GET', '/stats');
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*|https?:/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cache-control'), 'no-store');
});
