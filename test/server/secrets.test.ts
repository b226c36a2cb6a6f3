// Secrets over HTTP: values go in and to jobs, and never out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRole, startServer } from './support.ts';

const VALUE = 'Zq7-horse-battery';

test('a secret is set, listed by name and deleted, and its value is never returned', async (t) => {
  const server = await startServer(t);
  const set = await server.ask('PUT', '/secrets/DB_PASSWORD', { value: VALUE });
  assert.deepEqual([set.status, set.json.name, set.json.is_readable], [200, 'DB_PASSWORD', true]);
  const listed = await server.ask('GET', '/secrets');
  assert.deepEqual(listed.json, { secrets: [set.json], next: null });
  const job = await server.ask('POST', '/jobs', { command: 'true', secrets: ['DB_PASSWORD'] });
  assert.equal(job.status, 201);
  assert.equal((await (await server.queue.secrets()).valueOf('DB_PASSWORD')).toString(), VALUE);
  const entries = await server.ask('GET', '/activity');
  assert.ok(JSON.stringify(entries.json).includes('setSecret'), 'who set it is written down');
  for (const { json } of [set, listed, job, entries]) assert.ok(!JSON.stringify(json).includes(VALUE));
  assert.equal((await server.ask('DELETE', '/secrets/DB_PASSWORD')).status, 204);
  assert.equal((await server.ask('DELETE', '/secrets/DB_PASSWORD')).json.code, 'secret_not_found');
  assert.deepEqual((await server.ask('GET', '/secrets')).json.secrets, []);
});

test('bytes that are not valid text are sent as base64', async (t) => {
  const server = await startServer(t);
  const bytes = Buffer.from([0, 255, 10, 128]);
  const body = { value: bytes.toString('base64'), encoding: 'base64' };
  assert.equal((await server.ask('PUT', '/secrets/KEY', body)).status, 200);
  assert.deepEqual(await (await server.queue.secrets()).valueOf('KEY'), bytes);
});

test('an invalid secret is rejected without revealing its value', async (t) => {
  const server = await startServer(t);
  for (const [name, body, code] of [
    ['no-name', { value: VALUE }, 'invalid_secret'],
    ['A', { value: '' }, 'invalid_secret'],
    ['A', { value: 'x'.repeat(65_537) }, 'invalid_secret'],
    ['A', { value: `${VALUE}!`, encoding: 'base64' }, 'invalid_request'],
    ['A', { values: VALUE }, 'invalid_request'],
    ['A', [VALUE], 'invalid_request'],
  ] as const) {
    const rejected = await server.ask('PUT', `/secrets/${name}`, body);
    assert.deepEqual([rejected.status, rejected.json.code], [400, code], JSON.stringify(body).slice(0, 60));
    assert.ok(!JSON.stringify(rejected.json).includes(VALUE));
  }
  assert.deepEqual((await server.ask('GET', '/secrets')).json.secrets, []);
});

test('an enqueuer sees the names, and only an admin sets and deletes secrets', async (t) => {
  const server = await startServer(t);
  await server.ask('PUT', '/secrets/A', { value: VALUE });
  const [viewer, enqueuer, operator] = [
    await asRole(server, 'viewer'),
    await asRole(server, 'enqueuer'),
    await asRole(server, 'operator'),
  ];
  assert.equal((await viewer('GET', '/secrets')).status, 403);
  assert.equal((await enqueuer('GET', '/secrets')).json.secrets[0].name, 'A');
  assert.equal((await operator('PUT', '/secrets/A', { value: 'other-value' })).status, 403);
  assert.equal((await operator('DELETE', '/secrets/A')).status, 403);
  assert.equal((await (await server.queue.secrets()).valueOf('A')).toString(), VALUE);
});

test('the sandboxes that a job can name are listed, including those of the settings', async (t) => {
  const server = await startServer(t);
  await server.queue.setSetting('sandbox_profiles', '{"build":{"network":true}}');
  const { sandboxes } = (await server.ask('GET', '/sandboxes')).json;
  const named = (name: string) => sandboxes.find((one: { name: string }) => one.name === name);
  assert.deepEqual([named('strict').is_built_in, named('strict').network], [true, false]);
  assert.deepEqual([named('build').is_built_in, named('build').network], [false, true]);
});
