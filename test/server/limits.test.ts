// What one client can cost the others: nothing.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { LIMITS, type Limits } from '../../src/server/http/server-limits.ts';
import { unlistedRoute } from '../../src/server/route.ts';
import { until } from '../support/until.ts';
import { bareServer } from './bare-server.ts';
import { startServer } from './support.ts';

/** Sends these bytes, and answers all that comes until the server hangs up. */
async function saying(url: string, text: string): Promise<string> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  let heard = '';
  socket.on('data', (data) => (heard += data));
  await new Promise((resolve) => socket.on('close', resolve));
  return heard;
}

test('a client that sends its request slowly is disconnected, and others are served meanwhile', async (t) => {
  const { ask, url } = await startServer(t, { limits: { headersWithinMs: 1000, requestWithinMs: 2000 } });
  const slowHead = saying(url, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  const slowBody = saying(url, 'POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{');
  assert.equal((await ask('GET', '/stats')).status, 200);
  assert.match(await slowHead, /^HTTP\/1.1 408 /);
  assert.match(await slowBody, /^HTTP\/1.1 (408|403) /);
});

test('a body that is too large is rejected before it is read, whatever its headers say', async (t) => {
  const { ask, queue } = await startServer(t);
  const { status, json } = await ask('POST', '/jobs', { command: 'x'.repeat(LIMITS.bodyBytes) });
  assert.deepEqual([status, json.code], [413, 'body_too_large']);
  assert.equal(await queue.countOf({}), 0);
  assert.equal((await ask('GET', '/stats')).status, 200);
});

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

test('a connection beyond the limit replaces the one that was idle longest', async (t) => {
  const { url } = await startServer(t, { limits: { connections: 2 } });
  const port = Number(new URL(url).port);
  const held = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
  for (const socket of held) socket.on('error', () => {}); // the server ends one of them
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  held[0]?.write(HEALTH);
  await once(held[0] as net.Socket, 'data');
  const closed = once(held[1] as net.Socket, 'close');
  assert.match(await saying(url, HEALTH.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')), /^HTTP\/1.1 200 /);
  await closed;
  held[0]?.write(HEALTH);
  assert.match(String((await once(held[0] as net.Socket, 'data'))[0]), /^HTTP\/1.1 200 /);
});

test('a job with more variables than a program can receive is rejected', async (t) => {
  const { ask, queue } = await startServer(t);
  const env = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`V${i}`, '']));
  const { status, json } = await ask('POST', '/jobs', { command: 'true', env });
  assert.deepEqual([status, json.code], [400, 'invalid_job']);
  assert.match(String(json.detail), /has 10001 variables; the maximum is 10000/);
  assert.equal(await queue.countOf({}), 0);
});

test('of heavy requests a few run, some wait, and others are told when to retry', async (t) => {
  const heavy = await heavyServer(t, { heavyAtOnce: 2, heavyWaiting: 2, heavyWaitMs: 60_000 });
  const all = Array.from({ length: 5 }, () => heavy.ask());
  const rejected = await Promise.race(all);
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [429, '2']);
  assert.equal((await rejected.json()).code, 'too_busy');
  assert.equal(heavy.working.length, 2);
  assert.equal((await fetch(`${heavy.url}/healthz`)).status, 200);
  await until('all have had their turn', () => {
    heavy.working.pop()?.();
    return heavy.done === 4;
  });
  assert.equal(heavy.most, 2);
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 429]);
});

test('a heavy request that waited too long is rejected, and frees its slot', async (t) => {
  const heavy = await heavyServer(t, { heavyAtOnce: 1, heavyWaiting: 1, heavyWaitMs: 50 });
  const first = heavy.ask();
  await until('the first is worked on', () => heavy.working.length === 1);
  assert.equal((await heavy.ask()).status, 429);
  heavy.working.pop()?.();
  assert.equal((await first).status, 200);
  const next = heavy.ask();
  await until('the next is worked on', () => heavy.working.length === 1);
  heavy.working.pop()?.();
  assert.equal((await next).status, 200);
});

/** A server with one heavy route, whose requests are worked on until somebody ends them. */
async function heavyServer(t: TestContext, limits: Partial<Limits>) {
  const state = { working: [] as (() => void)[], done: 0, most: 0 };
  const slow = unlistedRoute({
    method: 'get',
    path: '/slow',
    id: 'slow',
    tag: 'slow',
    summary: '',
    role: 'viewer',
    isHeavy: true,
    answers: {},
    handle: async () => {
      await new Promise<void>((resolve) => {
        state.most = Math.max(state.most, state.working.push(resolve));
      });
      state.done++;
      return { json: {} };
    },
  });
  const { url } = await bareServer(t, { limits, routes: [slow] });
  return Object.assign(state, { url, ask: () => fetch(`${url}/api/v1/slow`) });
}
