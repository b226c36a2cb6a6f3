// No name leads to another route: names that would are rejected wherever a name is given.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValidJobId } from '../../src/job/id.ts';
import { ROUTES } from '../../src/server/routes/routes.ts';
import { raw } from './auth/raw.ts';
import { startServer } from './support.ts';

test('every word that is a route in place of a job ID is reserved', () => {
  const paths = new Map(ROUTES.map(({ method, path }) => [`${method} ${path}`, path.split('/')]));
  for (const [one, named] of paths)
    for (const [other, fixed] of paths) {
      const isSameShape = one.split(' ')[0] === other.split(' ')[0] && named.length === fixed.length;
      const different = named.flatMap((part, i) => (part === fixed[i] ? [] : [{ part, word: fixed[i] ?? '' }]));
      const [only] = different;
      if (!isSameShape || different.length !== 1 || !only?.part.startsWith('{')) continue;
      assert.equal(named[1], 'jobs', `${other} hides ${one}: reserve its name`);
      assert.ok(!isValidJobId(only.word), `${other} hides a job called '${only.word}'`);
    }
});

test('a path with dots leads to no other route', async (t) => {
  const server = await startServer(t);
  const { host } = new URL(server.url);
  for (const name of ['..', '%2e%2e', '.%2E', '.', 'a/../..']) {
    const { status } = await raw(server, [
      `POST /api/v1/queues/${name}/pause HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${server.token}`,
    ]);
    assert.equal(status, 404, name);
  }
  assert.deepEqual((await server.ask('GET', '/queues')).json.queues, []);
  assert.equal((await server.ask('POST', '/queues/.../pause')).status, 200);
});

test('names that a URL cannot carry are rejected', async (t) => {
  const { ask, queue } = await startServer(t);
  for (const name of ['.', '..'])
    for (const job of [
      { id: name },
      { queue: name },
      { name },
      { group: name },
      { tags: [name] },
      { key: name },
      { depends_on: [name] },
    ]) {
      const { status, json } = await ask('POST', '/jobs', { command: 'true', ...job });
      assert.deepEqual([status, json.code], [400, 'invalid_job'], JSON.stringify(job));
      assert.match(json.detail, /cannot be/);
    }
  for (const job of [{ id: 'count' }, { name: 'count' }])
    assert.equal((await ask('POST', '/jobs', { command: 'true', ...job })).status, 400);
  for (const name of ['.', '..']) {
    const schedule = { name, cron: '0 0 * * *', job: { command: 'true' } };
    assert.equal((await ask('POST', '/schedules', schedule)).status, 400);
    assert.equal((await ask('POST', '/recipes', { name, command: ['/bin/true'] })).status, 400);
    assert.equal((await ask('POST', '/users', { name, role: 'viewer', password: 'x'.repeat(12) })).status, 400);
    assert.equal((await ask('POST', '/tokens', { name, role: 'viewer' })).status, 400);
    const profiles = { value: JSON.stringify({ [name]: {} }) };
    assert.equal((await ask('PUT', '/settings/sandbox_profiles', profiles)).status, 400);
  }
  assert.equal(await queue.countOf({}), 0);
  assert.equal((await ask('POST', '/jobs', { command: 'true', id: '...', queue: 'count' })).status, 201);
});

test('a body with very many variables is rejected', async (t) => {
  const { ask, queue } = await startServer(t);
  const env = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`V${i}`, 'x']));
  const { status, json } = await ask('POST', '/jobs', { command: 'true', env });
  assert.deepEqual([status, json.code], [400, 'invalid_job']);
  assert.match(json.detail, /200000 variables/);
  const fields = await ask('POST', '/jobs', { command: 'true', ...env });
  assert.equal(fields.status, 400);
  assert.equal(await queue.countOf({}), 0);
});
