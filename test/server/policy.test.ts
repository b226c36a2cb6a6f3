// The policy over HTTP: who asks is known there, and some may be held to recipes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRole as as, startServer } from './support.ts';

test('an enqueuer restricted to recipes enqueues nothing else, and an operator does', async (t) => {
  const server = await startServer(t);
  const made = await server.ask('PUT', '/recipes/say', { command: ['echo', '{what}', '{n:int=1}'] });
  assert.deepEqual([made.status, made.json.parameters.length], [200, 2]);
  await server.queue.setSetting('policy_recipes_only', 'enqueuers');
  const [enqueuer, operator] = [await as(server, 'enqueuer'), await as(server, 'operator')];
  for (const body of [
    { command: 'echo hi' },
    { command: ['echo'] },
    [{ recipe: 'say', params: { what: 'x' } }, { command: ['echo'] }],
    { recipe: 'say', params: { what: 'x' }, on_success: 'rm -rf x' },
    { recipe: 'say', params: { what: 'x' }, env: { LD_PRELOAD: '/tmp/x.so' } },
  ]) {
    const rejected = await enqueuer('POST', '/jobs', body);
    assert.deepEqual([rejected.status, rejected.json.code], [403, 'rejected_by_policy'], JSON.stringify(body));
  }
  const job = await enqueuer('POST', '/jobs', { recipe: 'say', params: { what: '; rm', n: 3 } });
  assert.equal(job.status, 201);
  assert.deepEqual([job.json.jobs[0].command, job.json.jobs[0].recipe], [['echo', '; rm', '3'], 'say']);
  assert.equal((await operator('POST', '/jobs', { command: 'echo hi' })).status, 201);
  assert.equal((await enqueuer('PUT', '/recipes/evil', { command: ['sh'] })).status, 403);
  const [entry] = (await server.queue.activity.list(1)) ?? [];
  assert.deepEqual([entry?.actor, entry?.via, entry?.action], ['token:enqueuer', 'http', 'rejected']);
});

test('concurrent requests of different users each follow their own rules', async (t) => {
  const server = await startServer(t);
  await server.queue.setSetting('policy_users', 'token:operator');
  const [enqueuer, operator] = [await as(server, 'enqueuer'), await as(server, 'operator')];
  const asked = [enqueuer, operator].flatMap((ask) => [1, 2, 3].map(() => ask('POST', '/jobs', { command: 'x' })));
  assert.deepEqual(
    (await Promise.all(asked)).map(({ status }) => status),
    [403, 403, 403, 201, 201, 201],
  );
  const keyed = { 'idempotency-key': 'k1' };
  assert.equal((await server.ask('POST', '/jobs', { command: 'x' }, keyed)).status, 403, 'the owner is no exception');
});

test('changes by an operator follow the policy as well: edits, bulk operations, schedules', async (t) => {
  const server = await startServer(t);
  await server.queue.enqueue([{ id: 'a', command: ['true'] }]);
  await server.queue.setSetting('policy_shell', 'reject');
  const operator = await as(server, 'operator');
  assert.equal((await operator('PATCH', '/jobs/a', { command: 'echo hi' })).status, 403);
  assert.equal((await operator('PATCH', '/jobs/a', { on_dead: 'echo hi' })).status, 403);
  const schedule = { name: 's', every: '1h', job: { command: 'echo hi' } };
  assert.equal((await operator('POST', '/schedules', schedule)).status, 403);
  await server.queue.setSetting('policy_queues', 'default');
  const bulk = await operator('POST', '/jobs/bulk', { action: 'move', queue: 'other', ids: ['a'] });
  const ended = async (): Promise<Record<string, unknown>> => {
    const { json } = await operator('GET', `/bulk/${bulk.json.bulk}`);
    return json.state === 'running' ? ended() : json;
  };
  const { state, changed, rejected, rejections } = await ended();
  assert.deepEqual([state, changed, rejected], ['done', 0, 1]);
  assert.deepEqual(rejections, [{ reason: "queue 'other' accepts no jobs", jobs: 1 }]);
  await server.queue.cancel(['a']);
  await server.queue.setSetting('policy_programs', 'false');
  assert.equal((await operator('POST', '/jobs/a/retry')).status, 403);
  assert.equal((await operator('PATCH', '/queues/default', { hooks: { on_dead: 'x' } })).status, 403);
  assert.equal((await server.ask('PUT', '/settings/on_dead', { value: 'x' })).status, 403);
  assert.equal((await server.queue.find('a')).queue, 'default');
});

test('the isolation of a waiting job is changed by an operator and checked as at enqueue', async (t) => {
  const server = await startServer(t);
  await server.queue.enqueue([{ id: 'a', command: ['true'], memory: '64M', nice: 3 }]);
  const operator = await as(server, 'operator');
  const one = await operator('PATCH', '/jobs/a', { memory: '1G', sandbox: 'strict' });
  assert.deepEqual([one.json.limits, one.json.sandbox], [{ memory_bytes: 2 ** 30, nice: 3 }, 'strict']);
  const all = await operator('PATCH', '/jobs/a', { limits: { processes: 5 }, sandbox: null, user: 'ann' });
  assert.deepEqual([all.json.limits, all.json.sandbox, all.json.user], [{ processes: 5 }, null, 'ann']);
  assert.equal((await operator('PATCH', '/jobs/a', { limits: null })).json.limits, null);
  assert.equal((await operator('PATCH', '/jobs/a', { secrets: ['NONE'] })).json.code, 'secret_not_found');
  assert.equal((await operator('PATCH', '/jobs/a', { sandbox: 'none-such' })).json.code, 'invalid_job');
  await server.ask('PUT', '/secrets/TOK', { value: 'a-secret-value' });
  const given = await operator('PATCH', '/jobs/a', { secrets: ['TOK=LD_PRELOAD'] });
  assert.deepEqual(given.json.secrets, ['TOK=LD_PRELOAD']);
  await server.queue.setSetting('policy_programs', 'true');
  const rejected = await operator('PATCH', '/jobs/a', { secrets: ['TOK=PATH'] });
  assert.deepEqual([rejected.status, rejected.json.code], [403, 'rejected_by_policy']);
});

test('an enqueuer can check whether a job would be allowed without enqueueing it', async (t) => {
  const server = await startServer(t);
  const [viewer, enqueuer] = [await as(server, 'viewer'), await as(server, 'enqueuer')];
  const allowed = await enqueuer('POST', '/policy/check', { command: 'echo hi' });
  assert.deepEqual(allowed.json, { is_allowed: true, reason: null, hint: null });
  await server.queue.setSetting('policy_recipes_only', 'enqueuers');
  const rejected = await enqueuer('POST', '/policy/check', { command: 'echo hi' });
  assert.equal(rejected.status, 200);
  assert.deepEqual([rejected.json.is_allowed, rejected.json.reason], [false, 'the command must come from a recipe']);
  assert.match(rejected.json.hint, /queuectl recipe list/);
  assert.equal((await server.ask('POST', '/policy/check', { command: 'echo hi' })).json.is_allowed, true);
  assert.equal((await enqueuer('POST', '/policy/check', { comand: 'x' })).json.code, 'invalid_job');
  assert.equal((await enqueuer('POST', '/policy/check', { recipe: 'none' })).json.code, 'recipe_not_found');
  assert.equal((await viewer('POST', '/policy/check', { command: 'x' })).status, 403);
  assert.deepEqual(await server.queue.activity.list(9), [], 'to ask is no entry');
});

test('recipes are read, replaced and deleted', async (t) => {
  const server = await startServer(t);
  await server.ask('PUT', '/recipes/r', { command: ['true'] });
  assert.equal((await server.ask('PUT', '/recipes/r', { command: ['echo', '{a}'] })).status, 200);
  assert.deepEqual((await server.ask('GET', '/recipes')).json.recipes[0].command, ['echo', '{a}']);
  const wrong = await server.ask('PUT', '/recipes/r', { command: ['sh', '-c', 'echo {a}'] });
  assert.deepEqual([wrong.status, wrong.json.code], [400, 'invalid_recipe']);
  assert.equal((await server.ask('DELETE', '/recipes/r')).status, 204);
  const posted = await server.ask('POST', '/recipes', { name: 'r', command: ['echo', '{a}'] });
  assert.deepEqual([posted.status, posted.json.name], [201, 'r']);
  const taken = await server.ask('POST', '/recipes', { name: 'r', command: ['true'] });
  assert.deepEqual([taken.status, taken.json.code], [409, 'recipe_exists']);
  assert.equal((await server.ask('DELETE', '/recipes/r')).status, 204);
  assert.equal((await server.ask('GET', '/recipes/r')).status, 404);
});
