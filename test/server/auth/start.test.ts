// Where a server may be started, and with what: it does not start where somebody could listen in or walk in.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pageIn } from '../../../src/server/http/built-page.ts';
import { Queue } from '../../../src/queue/queue.ts';
import { tokenPath } from '../../../src/server/auth/token-file.ts';
import { type ServeOptions, serveQueue } from '../../../src/server/serve.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { rejection } from '../../support/rejection.ts';
import { startServer } from '../support.ts';

const fixtures = path.join(import.meta.dirname, '..', '..', 'fixtures');
const tls = { cert: path.join(fixtures, 'tls-cert.pem'), key: path.join(fixtures, 'tls-key.pem') };

async function queueOf(t: TestContext): Promise<Queue> {
  const queue = await Queue.open({ db: `${temporaryFolder(t)}/queue.db`, environment: {} });
  t.after(() => queue.close());
  return queue;
}

const serve = (queue: Queue, options: Partial<ServeOptions>) =>
  serveQueue(queue, {
    host: '127.0.0.1',
    port: 0,
    page: pageIn(path.join(import.meta.dirname, '..', '..', '..', 'dist', 'page')),
    version: 'test',
    log: () => {},
    ...options,
  });

test('off loopback a server starts only with TLS or behind a proxy, and never without a token', async (t) => {
  const queue = await queueOf(t);
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'queue.example', '127.0.0.1.example'])
    await rejection('unsafe_address', () => serve(queue, { host }));
  for (const options of [
    { host: '0.0.0.0', noAuth: true, tls },
    { host: '0.0.0.0', noAuth: true, behindProxy: true },
    { host: '127.0.0.1', noAuth: true, behindProxy: true },
  ])
    await rejection('unsafe_address', () => serve(queue, options));
  assert.equal(fs.existsSync(tokenPath(queue.place)), false, 'nothing was made for a server that did not start');
});

test('an unusable certificate is rejected with the reason', async (t) => {
  const queue = await queueOf(t);
  const other = path.join(temporaryFolder(t), 'no.pem');
  const missing = await rejection('unusable_certificate', () => serve(queue, { tls: { ...tls, key: other } }));
  assert.match(missing.message, /no\.pem/);
  fs.writeFileSync(other, 'not a key');
  await rejection('unusable_certificate', () => serve(queue, { tls: { ...tls, key: other } }));
  await rejection('unusable_certificate', () => serve(queue, { tls: { cert: other, key: tls.key } }));
});

test('over TLS the cookie is bound to this host, and plain HTTP is not accepted', async (t) => {
  const server = await startServer(t, { tls });
  assert.match(server.url, /^https:/);
  const { port } = new URL(server.url);
  const cookie = await secureLogin(Number(port), server.token);
  assert.match(cookie, new RegExp(`^__Host-queuectl-session-${port}=`));
  assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Strict; Secure; /);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
});

function secureLogin(port: number, token: string): Promise<string> {
  const ca = fs.readFileSync(tls.cert);
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  return new Promise((resolve, reject) => {
    const options = { ca, method: 'POST', headers, agent: false };
    const asked = request(`https://127.0.0.1:${port}/api/v1/session`, options, (response) => {
      response.resume().on('end', () => resolve(response.headers['set-cookie']?.[0] ?? ''));
    });
    asked.on('error', reject).end(JSON.stringify({ token }));
  });
}

test('behind a proxy the cookie is secure if the client used TLS', async (t) => {
  const server = await startServer(t, { behindProxy: true });
  const loginVia = async (headers: Record<string, string>) => {
    const said = { authorization: '', 'sec-fetch-site': 'same-origin', ...headers };
    return (await server.ask('POST', '/session', { token: server.token }, said)).headers.get('set-cookie') ?? '';
  };
  assert.match(await loginVia({ 'x-forwarded-proto': 'https' }), /^__Host-.*; Secure/);
  assert.doesNotMatch(await loginVia({}), /Secure/);
});

test('proxy headers are ignored without a configured proxy', async (t) => {
  const server = await startServer(t);
  const headers = { authorization: '', 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' };
  const { headers: answered } = await server.ask('POST', '/session', { token: server.token }, headers);
  assert.doesNotMatch(answered.get('set-cookie') ?? '', /Secure|__Host-/);
});

test('the token is created once and readable only by the owner', async (t) => {
  const queue = await queueOf(t);
  const addresses: string[] = [];
  for (let i = 0; i < 2; i++) {
    const serving = await serve(queue, {});
    addresses.push(serving.address.split('#token=')[1] ?? '');
    await serving.close(0);
  }
  const file = tokenPath(queue.place);
  assert.equal(addresses[0], addresses[1]);
  assert.equal(fs.readFileSync(file, 'utf8').trim(), addresses[0]);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(
    fs.readdirSync(path.dirname(file)).filter((name) => name.startsWith('server-token')),
    ['server-token'],
  );
});

test('a token file that others can read, or that is invalid, is rejected', async (t) => {
  const queue = await queueOf(t);
  await (await serve(queue, {})).close(0);
  const file = tokenPath(queue.place);
  for (const mode of [0o640, 0o604, 0o660, 0o666]) {
    fs.chmodSync(file, mode);
    const error = await rejection('unsafe_token_file', () => serve(queue, {}));
    assert.match(error.message, /other users can read the file/);
  }
  fs.chmodSync(file, 0o600);
  fs.writeFileSync(file, '\n');
  assert.match((await rejection('unsafe_token_file', () => serve(queue, {}))).message, /contains no token/);
  fs.rmSync(file);
  fs.mkdirSync(file);
  await rejection('unsafe_token_file', () => serve(queue, {}));
});

test('without a token, if configured, loopback clients have access and other sites do not', async (t) => {
  const server = await startServer(t, { noAuth: true });
  const open = { authorization: '' };
  assert.equal((await server.ask('POST', '/jobs', { command: 'true' }, open)).status, 201);
  const cross = { ...open, 'sec-fetch-site': 'cross-site' };
  assert.equal((await server.ask('POST', '/jobs', { command: 'true' }, cross)).status, 403);
  assert.equal((await server.ask('GET', '/session', undefined, open)).json.name, 'anybody');
  assert.doesNotMatch(server.url, /token/);
});
