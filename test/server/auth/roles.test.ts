// Every route of the table, with every role that is too small for it: rejected, and nothing is changed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayActAs, ROLES, type Role } from '../../../src/access/role.ts';
import type { Route } from '../../../src/server/route.ts';
import { ROUTES } from '../../../src/server/routes/routes.ts';
import { openStream } from '../live/support.ts';
import { startServer } from '../support.ts';
import { addUser, sharedServer, tokenFor } from './logins.ts';

/** With the id of a job, a user and a queue in it, so that whoever got through would change something. */
const pathOf = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, 'victim');
const bodyOf = ({ body, method }: Route): unknown => (body || method !== 'get' ? {} : undefined);

const tokens = new Map<Role, string>();
let atFirst: string;
const shared = sharedServer(async (server) => {
  for (const role of ROLES) tokens.set(role, await tokenFor(server, role));
  await addUser(server, 'victim');
  await server.queue.enqueue([{ id: 'victim', command: 'true', queue: 'victim' }]);
  atFirst = await everything(server);
});

/** Everything that a route could have changed. */
async function everything({ queue: { store } } = shared()): Promise<string> {
  return JSON.stringify([
    await store.copyOut(0, 100),
    await store.copyTablesOut(),
    await store.settings(),
    await store.accounts.users(),
    (await store.accounts.tokens()).map(({ name }) => name),
    await store.activity.list(100),
  ]);
}

const ask = (route: Route, headers: Record<string, string>) =>
  shared().ask(route.method.toUpperCase(), pathOf(route), bodyOf(route), headers);

describe('every route', () => {
  for (const route of ROUTES) {
    const name = `${route.method} ${route.path}`;
    if (route.isOpen) continue;

    test(`${name} is for roles from ${route.role} on`, async () => {
      for (const role of ROLES.filter((one) => !mayActAs(one, route.role))) {
        const { status, json } = await ask(route, { authorization: `Bearer ${tokens.get(role)}` });
        assert.deepEqual([status, json.code], [403, 'not_allowed'], role);
      }
      for (const authorization of ['', 'Bearer wrong']) {
        const { status } = await ask(route, { authorization, 'sec-fetch-site': 'same-origin' });
        assert.equal(status, 401, authorization);
      }
      assert.equal(await everything(), atFirst);
    });
  }

  test('requires a token or a cookie of this server, and nothing similar', async () => {
    const { port } = new URL(shared().url);
    for (const authorization of ['', 'Bearer ', 'Bearer qctl_', `Basic ${shared().token}`, shared().token])
      for (const cookie of ['', 'queuectl-session=x', `queuectl-session-${port}=x`, `queuectl-session-${port}=`]) {
        const { status } = await shared().ask('GET', '/stats', undefined, { authorization, cookie });
        assert.equal(status, 401, `${authorization} ${cookie}`);
      }
  });

  test('open to everybody is on this list', () => {
    const open = ROUTES.filter(({ isOpen }) => isOpen).map(({ id }) => id);
    assert.deepEqual(open, ['login', 'logout']);
  });

  test('that changes something is not for viewers, and one that only reads is a GET', () => {
    for (const { id, method, role, changes = true, isOpen } of ROUTES)
      if (method !== 'get' && changes && !isOpen) assert.notEqual(role, 'viewer', id);
  });
});

test('a read-only server rejects every change, whichever account asks', async (t) => {
  const shown = await startServer(t, { readOnly: true });
  for (const route of ROUTES.filter(({ method, changes = true }) => method !== 'get' && changes)) {
    const { status, json } = await shown.ask(route.method.toUpperCase(), pathOf(route), bodyOf(route));
    assert.deepEqual([status, json.code], [403, 'serves_read_only'], route.id);
  }
  assert.equal(await shown.queue.countOf({}), 0);
  assert.equal((await shown.ask('GET', '/session')).json.read_only, true);
});

test('values of variables are shown only to admins', async (t) => {
  const own = await startServer(t);
  const token = await tokenFor(own, 'operator');
  const job = { id: 'a', command: 'true', env: { TOKEN: 'hunter2' } };
  const headers = { authorization: `Bearer ${token}` };
  const answers = [
    await own.ask('POST', '/jobs', job, headers),
    await own.ask('GET', '/jobs', undefined, headers),
    await own.ask('GET', '/jobs/a', undefined, headers),
    await own.ask('POST', '/jobs/a/hold', {}, headers),
    await own.ask('POST', '/schedules', { name: 'nightly', every: '1d', job: { ...job, id: undefined } }, headers),
    await own.ask('GET', '/schedules/nightly', undefined, headers),
    await own.ask('GET', '/schedules', undefined, headers),
    await own.ask('POST', '/jobs/a/cancel', undefined, headers),
  ];
  for (const { json, status } of answers) {
    assert.ok(status < 300, JSON.stringify(json));
    assert.match(JSON.stringify(json), /"TOKEN":"\*\*\*"/);
  }
  const stream = await openStream(t, own, '/events?topics=job:a', headers);
  const { data } = await stream.next('job');
  assert.deepEqual(data.env, { TOKEN: '***' });
  assert.match(JSON.stringify((await own.ask('GET', '/jobs/a')).json), /hunter2/);
  await own.ask('PUT', '/settings/webhook_secret', { value: 'hunter2hunter2' });
  const shown = [await own.ask('GET', '/settings'), await own.ask('GET', '/activity')];
  for (const { json } of shown) assert.doesNotMatch(JSON.stringify(json), /hunter2/);
});
