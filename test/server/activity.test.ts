// Who did what over HTTP, and what is not told of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, askWith, cookieOf, PASSWORD, tokenFor } from './auth/logins.ts';
import { startServer } from './support.ts';

test('actions are recorded with their account, and rejected actions and reads are not', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann', 'operator');
  const cookie = await cookieOf(server, { user: 'ann', password: PASSWORD });
  const viewer = await tokenFor(server, 'viewer');
  await server.ask('POST', '/jobs', { id: 'a', command: 'true' });
  await askWith(server, cookie, 'GET', '/jobs/a');
  await server.ask('POST', '/jobs/a/cancel', undefined, { authorization: `Bearer ${viewer}` });
  await askWith(server, cookie, 'POST', '/jobs/none/cancel');
  assert.equal((await askWith(server, cookie, 'POST', '/jobs/a/cancel')).status, 200);
  const { json } = await server.ask('GET', '/activity');
  assert.equal(json.next, null);
  assert.deepEqual(
    json.activity.map(({ seq: _, at: __, ...entry }: Record<string, unknown>) => entry),
    [{ actor: 'ann', via: 'http', action: 'cancelJob', target: 'a', detail: null }],
  );
});

test('no secret is recorded', async (t) => {
  const server = await startServer(t);
  await server.ask('POST', '/users', { name: 'bob', role: 'viewer', password: PASSWORD });
  const { json } = await server.ask('POST', '/tokens', { name: 'ci', role: 'viewer', expires: '1d' });
  await server.ask('DELETE', `/tokens/${json.id}`);
  await server.ask('DELETE', '/users/bob');
  const { activity } = (await server.ask('GET', '/activity')).json;
  assert.deepEqual(
    activity.map(({ action, target, detail }: Record<string, unknown>) => [action, target, detail]),
    [
      ['removeUser', 'bob', null],
      ['removeToken', json.id, null],
      ['addToken', null, { name: 'ci', role: 'viewer', expires: '1d' }],
      ['addUser', null, { name: 'bob', role: 'viewer', password: '…' }],
    ],
  );
  assert.doesNotMatch(JSON.stringify(activity), new RegExp(`${PASSWORD}|${json.secret}`));
});

test('the activity log is read in pages, and a page after the last is empty', async (t) => {
  const server = await startServer(t);
  for (const name of ['a', 'b', 'c']) await server.ask('POST', '/tokens', { name, role: 'viewer' });
  const first = (await server.ask('GET', '/activity?limit=2')).json;
  const second = (await server.ask('GET', `/activity?limit=2&after=${first.next}`)).json;
  assert.deepEqual(
    [...first.activity, ...second.activity].map(({ detail }) => detail.name),
    ['c', 'b', 'a'],
  );
  assert.equal(second.next, null);
  assert.equal((await server.ask('GET', '/activity?after=x')).status, 400);
});
