// Cookies and who they let in: after a login, not after its end, and nowhere else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { hashOf } from '../../../src/access/secrets.ts';
import { until } from '../../support/until.ts';
import { openStream } from '../live/support.ts';
import { startServer } from '../support.ts';
import { addUser, askWith, cookieOf, login, PASSWORD, tokenFor } from './logins.ts';

test('a token or a password is exchanged for a cookie that no script can read', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann', 'viewer');
  const token = await tokenFor(server, 'operator', 'ci');
  for (const [said, name, role] of [
    [{ token: server.token }, 'owner', 'admin'],
    [{ token }, 'token:ci', 'operator'],
    [{ user: 'ann', password: PASSWORD }, 'ann', 'viewer'],
  ] as const) {
    const { headers } = await login(server, said);
    const cookie = headers.get('set-cookie') ?? '';
    const { port } = new URL(server.url);
    assert.match(
      cookie,
      new RegExp(`^queuectl-session-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`),
    );
    const { json } = await askWith(server, cookie.split(';')[0] ?? '', 'GET', '/session');
    assert.deepEqual([json.name, json.role, json.read_only, json.version], [name, role, false, 'test']);
    assert.equal(json.database, server.queue.place.name);
  }
});

test('a stolen cookie is useless after logout', async (t) => {
  const server = await startServer(t);
  const [cookie, other] = [
    await cookieOf(server, { token: server.token }),
    await cookieOf(server, { token: server.token }),
  ];
  const out = await askWith(server, cookie, 'DELETE', '/session');
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie') ?? '', /=; .*Max-Age=0$/);
  assert.equal((await askWith(server, cookie, 'GET', '/stats')).status, 401);
  assert.equal((await askWith(server, other, 'GET', '/stats')).status, 200, 'another session goes on');
});

test('deleting a user or a token ends its sessions immediately', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann');
  const secret = await tokenFor(server, 'viewer', 'ci');
  const [ann, ci] = [
    await cookieOf(server, { user: 'ann', password: PASSWORD }),
    await cookieOf(server, { token: secret }),
  ];
  const alive = async () => [
    (await askWith(server, ann, 'GET', '/stats')).status,
    (await askWith(server, ci, 'GET', '/stats')).status,
  ];
  assert.deepEqual(await alive(), [200, 200]);
  assert.equal((await server.ask('DELETE', '/users/ann')).status, 204);
  assert.deepEqual(await alive(), [401, 200]);
  const [{ id }] = (await server.ask('GET', '/tokens')).json.tokens;
  assert.equal((await server.ask('DELETE', `/tokens/${id}`)).status, 204);
  assert.deepEqual(await alive(), [401, 401]);
  await addUser(server, 'ann', 'admin');
  assert.deepEqual(await alive(), [401, 401], 'not even for another user of the same name');
});

/** Sooner than the streams are looked at anyway. */
const AT_ONCE_MS = 10_000;

test('an open stream closes with its session', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann');
  const token = await tokenFor(server, 'viewer', 'ci');
  const [ann, owner] = [
    await cookieOf(server, { user: 'ann', password: PASSWORD }),
    await cookieOf(server, { token: server.token }),
  ];
  const streams = [
    await openStream(t, server, '/events?topics=stats', { authorization: '', cookie: ann }),
    await openStream(t, server, '/events?topics=stats', { authorization: `Bearer ${token}` }),
    await openStream(t, server, '/events?topics=stats', { authorization: '', cookie: owner }),
    await openStream(t, server, '/events?topics=stats'),
  ];
  const ended = () => streams.map(({ isEnded }) => isEnded());
  for (const { status } of streams) assert.equal(status, 200);
  await server.ask('DELETE', '/users/ann');
  await until('ann’s ends', () => isDeepStrictEqual(ended(), [true, false, false, false]), AT_ONCE_MS);
  await server.ask('DELETE', '/tokens/ci');
  await askWith(server, owner, 'DELETE', '/session');
  await until('these end', () => isDeepStrictEqual(ended(), [true, true, true, false]), AT_ONCE_MS);
});

test('an expired cookie and an expired token are rejected', async (t) => {
  const server = await startServer(t);
  const { accounts } = server.queue.store;
  const now = server.queue.now();
  const session = { kind: 'owner', principal: 'owner', role: 'admin', createdAt: 1 } as const;
  await accounts.addSession({ ...session, hash: hashOf('old'), expiresAt: now - 1 });
  const { port } = new URL(server.url);
  assert.equal((await askWith(server, `queuectl-session-${port}=old`, 'GET', '/stats')).status, 401);
  const made = { role: 'admin', createdAt: 1, createdBy: 'test', lastUsedAt: null } as const;
  await accounts.addToken({ ...made, id: 't', name: 'old', hash: hashOf('qctl_old'), expiresAt: now - 1 });
  const asked = await server.ask('GET', '/stats', undefined, { authorization: 'Bearer qctl_old' });
  assert.deepEqual([asked.status, asked.json.code], [401, 'not_logged_in']);
  assert.equal((await login(server, { token: 'qctl_old' })).status, 401);
});

test('a cookie does not outlive the token it came from', async (t) => {
  const server = await startServer(t);
  const { secret } = await (await server.queue.accounts()).addToken(
    { name: 'brief', role: 'viewer', expires: '1h' },
    'test',
  );
  const { headers } = await login(server, { token: secret });
  const seconds = Number(/Max-Age=(\d+)/.exec(headers.get('set-cookie') ?? '')?.[1]);
  assert.ok(seconds > 3500 && seconds <= 3600, String(seconds));
});

test('the cookie of another server on this host, or of a previous owner, is rejected', async (t) => {
  const [server, other] = [await startServer(t), await startServer(t)];
  const cookie = await cookieOf(other, { token: other.token });
  assert.equal((await askWith(server, cookie, 'GET', '/stats')).status, 401);
  const value = cookie.split('=')[1] ?? '';
  const { port } = new URL(server.url);
  const renamed = `queuectl-session-${port}=${value}`;
  assert.equal((await askWith(server, renamed, 'GET', '/stats')).status, 401);
  const session = { hash: hashOf(value), kind: 'owner', principal: 'another token', role: 'admin' } as const;
  const times = { createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER };
  await server.queue.store.accounts.addSession({ ...session, ...times });
  assert.equal((await askWith(server, renamed, 'GET', '/stats')).status, 401, 'of a token that was replaced');
});

test('a wrong login does not reveal which part was wrong, and sets no cookie', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann');
  const answers = [
    await login(server, { user: 'ann', password: 'wrong password' }),
    await login(server, { user: 'nobody', password: PASSWORD }),
    await login(server, { token: 'wrong' }),
  ];
  const [first] = answers;
  for (const { status, json, headers } of answers) {
    assert.deepEqual([status, json], [401, first?.json]);
    assert.equal(headers.get('set-cookie'), null);
  }
});

test('guessing is slowed down, and a valid token still works', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann');
  const tries = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      login(server, { user: 'ann', password: `guess number ${i}` }, { 'x-forwarded-for': `10.1.2.${i}` }),
    ),
  );
  const rejected = tries.filter(({ status }) => status === 429);
  const wrong = tries.filter(({ status }) => status === 401).length;
  assert.ok(wrong >= 5 && wrong <= 7, `${wrong}, though they came at once: one more after a second, and after three`);
  assert.equal(rejected.length, 12 - wrong, 'whatever addresses they claim');
  assert.ok(Number(rejected[0]?.headers.get('retry-after')) >= 1);
  assert.equal(rejected[0]?.json.code, 'too_many_logins');
  assert.equal((await login(server, { token: server.token })).status, 204);
});

test('behind a proxy each client is throttled separately', async (t) => {
  const server = await startServer(t, { behindProxy: true });
  const wrong = (address: string) => login(server, { token: 'wrong' }, { 'x-forwarded-for': address });
  for (let i = 0; i < 5; i++) assert.equal((await wrong(`6.6.6.${i}, 10.0.0.1`)).status, 401);
  assert.equal((await wrong('9.9.9.9, 10.0.0.1')).status, 429);
  assert.equal((await wrong('10.0.0.2')).status, 401);
});

test('a proxy that adds a port to the address does not make each connection a new client', async (t) => {
  const server = await startServer(t, { behindProxy: true });
  const wrong = (address: string) => login(server, { token: 'wrong' }, { 'x-forwarded-for': address });
  for (let i = 0; i < 5; i++) assert.equal((await wrong(`10.0.0.1:${1000 + i}`)).status, 401);
  assert.equal((await wrong('10.0.0.1:2000')).status, 429);
  for (let i = 0; i < 5; i++) assert.equal((await wrong(`"[2001:db8::1]:${1000 + i}"`)).status, 401);
  assert.equal((await wrong('[2001:db8::1]')).status, 429);
  for (let i = 0; i < 5; i++) assert.equal((await wrong(`no address ${i}`)).status, 401);
  assert.equal((await wrong('no address')).status, 429, 'what is no address counts for the proxy');
});

test('an invalid login is rejected before any check', async (t) => {
  const server = await startServer(t);
  for (const said of [{}, { user: 'ann' }, { token: '' }, { token: 'x'.repeat(5000) }, { token: 'x', user: 'ann' }])
    assert.equal((await login(server, said as Record<string, string>)).status, 400, JSON.stringify(said).slice(0, 40));
});

test('the last use of a token is shown', async (t) => {
  const server = await startServer(t);
  const secret = await tokenFor(server, 'viewer', 'ci');
  assert.equal((await server.ask('GET', '/tokens')).json.tokens[0].last_used_at, null);
  await server.ask('GET', '/stats', undefined, { authorization: `Bearer ${secret}` });
  assert.notEqual((await server.ask('GET', '/tokens')).json.tokens[0].last_used_at, null);
});

test('the store and the responses contain no secret', async (t) => {
  const server = await startServer(t);
  const secret = await tokenFor(server, 'viewer', 'ci');
  await addUser(server, 'ann');
  const cookie = (await cookieOf(server, { token: secret })).split('=')[1] ?? '';
  const { accounts } = server.queue.store;
  const kept = JSON.stringify([
    await accounts.users(),
    await accounts.tokens(),
    await accounts.sessionWith(hashOf(cookie)),
  ]);
  for (const word of [secret, PASSWORD, cookie]) assert.doesNotMatch(kept, new RegExp(word));
  const shown = JSON.stringify([(await server.ask('GET', '/users')).json, (await server.ask('GET', '/tokens')).json]);
  assert.doesNotMatch(shown, /hash|scrypt|secret/);
});
