// The name that a request calls the server by: a page of another site can give our address a name of its own (DNS rebinding).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support.ts';
import { raw } from './raw.ts';

test('a foreign host name is rejected before any other check', async (t) => {
  const server = await startServer(t);
  const { port } = new URL(server.url);
  const bearer = `Authorization: Bearer ${server.token}`;
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.:${port}`,
    'localhost@evil.example',
    `evil.example#localhost`,
    `2130706433.evil:${port}`,
    `[::2]:${port}`,
    '',
  ])
    for (const path of ['/api/v1/stats', '/healthz', '/openapi.json', '/', '/nothing']) {
      const { status, body } = await raw(server, [`GET ${path} HTTP/1.1`, `Host: ${host}`, bearer]);
      assert.ok(status === 421 || status === 400, `${host} ${path}: ${status}`);
      assert.doesNotMatch(body, /"(jobs|queues|openapi)"|"ok"/);
    }
  assert.deepEqual(server.log, []);
});

test('the rejection explains itself and keeps the security headers', async (t) => {
  const server = await startServer(t);
  const { status, head, body } = await raw(server, ['GET /api/v1/stats HTTP/1.1', 'Host: evil.example']);
  assert.deepEqual([status, JSON.parse(body).code], [421, 'wrong_host']);
  assert.match(head, /content-security-policy: default-src 'none'/i);
});

test('an absolute URL cannot hide another Host header, or the reverse', async (t) => {
  const server = await startServer(t);
  const bearer = `Authorization: Bearer ${server.token}`;
  const { host } = new URL(server.url);
  const both = [
    [`GET http://evil.example/api/v1/stats HTTP/1.1`, `Host: ${host}`],
    [`GET http://${host}/api/v1/stats HTTP/1.1`, 'Host: evil.example'],
    ['GET /api/v1/stats HTTP/1.1', `Host: ${host}`, 'Host: evil.example'],
  ];
  for (const lines of both) assert.notEqual((await raw(server, [...lines, bearer])).status, 200, lines.join());
});

test('loopback names and allowed names are accepted with any port', async (t) => {
  const server = await startServer(t, { allowHosts: ['queue.example'] });
  for (const host of ['localhost', '127.0.0.1:9', '[::1]:9', 'queue.example', 'Queue.Example:443'])
    assert.equal((await raw(server, ['GET /healthz HTTP/1.1', `Host: ${host}`])).status, 200, host);
});

test('a path with .. reaches nothing', async (t) => {
  const server = await startServer(t);
  const { host } = new URL(server.url);
  const bearer = `Authorization: Bearer ${server.token}`;
  for (const path of [
    '/../../../../etc/passwd',
    '/assets/../../../../etc/passwd',
    '/assets/..%2f..%2f..%2fetc%2fpasswd',
    '/api/v1/jobs/..%2f..%2fusers',
    '/api/v1/jobs/%2e%2e/%2e%2e/etc/passwd',
    '//etc/passwd',
    '/api/v1/jobs/%00',
    '/api/v1/jobs/%ff',
    '\\..\\..\\etc\\passwd',
  ]) {
    const { status, body } = await raw(server, [`GET ${path} HTTP/1.1`, `Host: ${host}`, bearer]);
    const isPage = status === 200 && !path.startsWith('/api') && /^<!doctype html>/i.test(body);
    assert.ok(status === 404 || status === 400 || isPage, `${path}: ${status}`);
    assert.doesNotMatch(body, /root:/);
  }
  assert.deepEqual(server.log, []);
});
