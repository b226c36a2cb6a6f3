import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobFor } from '../../src/server/shown.ts';
import { startServer, type TestServer } from './support.ts';

const idsOf = ({ json }: { json: { jobs: { id: string }[] } }): string[] => json.jobs.map(({ id }) => id);

async function withJobs(server: TestServer, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, (_, i) => ({
    id: `j${i}`,
    command: `echo ${i}`,
    priority: i % 3,
    queue: i % 2 ? 'odd' : 'even',
  }));
  assert.equal((await server.ask('POST', '/jobs', jobs)).status, 201);
}

test('pages of jobs continue where the previous one ended, whatever was added meanwhile', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 5);
  const first = await server.ask('GET', '/jobs?limit=2');
  assert.deepEqual([idsOf(first), first.json.searched], [['j4', 'j3'], null]);
  await server.ask('POST', '/jobs', { id: 'late', command: 'true' });
  const second = await server.ask('GET', `/jobs?limit=2&after=${first.json.next}`);
  const third = await server.ask('GET', `/jobs?limit=2&after=${second.json.next}`);
  assert.deepEqual([...idsOf(second), ...idsOf(third)], ['j2', 'j1', 'j0']);
  assert.equal(third.json.next, null);
});

test('jobs are returned in the requested order', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 6);
  assert.deepEqual(idsOf(await server.ask('GET', '/jobs?sort=created&limit=2')), ['j0', 'j1']);
  const byPriority = await server.ask('GET', '/jobs?sort=-priority&limit=3');
  assert.deepEqual(idsOf(byPriority), ['j2', 'j5', 'j1']);
  const rest = await server.ask('GET', `/jobs?sort=-priority&limit=3&after=${byPriority.json.next}`);
  assert.deepEqual(idsOf(rest), ['j4', 'j0', 'j3']);
});

test('a cursor is valid only for its own list', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 4);
  const { json } = await server.ask('GET', '/jobs?limit=1');
  const elsewhere = [
    `/jobs?limit=1&sort=created&after=${json.next}`,
    `/jobs?limit=1&filter=queue:odd&after=${json.next}`,
    '/jobs?after=nonsense',
    '/jobs?after=',
    `/jobs?after=${json.next}x`,
  ];
  for (const path of elsewhere) {
    const rejected = await server.ask('GET', path);
    assert.deepEqual([rejected.status, rejected.json.code], [400, 'invalid_cursor'], path);
  }
  const other = await startServer(t);
  assert.equal((await other.ask('GET', `/jobs?limit=1&after=${json.next}`)).json.code, 'invalid_cursor');
});

test('a count is exact where counters exist, and otherwise reports whether it is', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 5);
  assert.deepEqual((await server.ask('GET', '/jobs/count')).json, { count: 5, is_exact: true });
  const odd = await server.ask('GET', '/jobs/count?filter=queue:odd');
  assert.deepEqual(odd.json, { count: 2, is_exact: true });
  const text = await server.ask('GET', '/jobs/count?filter=echo');
  assert.deepEqual(text.json, { count: 5, is_exact: true });
});

test('an invalid filter is rejected with the position of the word', async (t) => {
  const { ask } = await startServer(t);
  const rejected = await ask('GET', '/jobs?filter=queue:mail%20stat:dead');
  assert.deepEqual([rejected.status, rejected.json.code, rejected.json.position], [400, 'invalid_filter', 12]);
  const unclosed = await ask('GET', '/jobs/count?filter=queue:mail%20error:%22open');
  assert.deepEqual([unclosed.json.code, unclosed.json.position], ['invalid_filter', 18]);
});

test('a job is held, released, run now, edited, cancelled, retried and deleted', async (t) => {
  const { ask, queue } = await startServer(t);
  await ask('POST', '/jobs', { id: 'a', command: 'true', run_at: '+1h' });
  const held = await ask('POST', '/jobs/a/hold', { reason: 'the disk' });
  assert.deepEqual([held.status, held.json.held, held.json.held_reason], [200, true, 'the disk']);
  assert.equal((await ask('POST', '/jobs/a/release')).json.held, false);
  assert.equal((await ask('POST', '/jobs/a/run-now', {})).json.run_at, null);
  const edited = await ask('PATCH', '/jobs/a', { command: ['ls', '-l'], priority: 7 });
  assert.deepEqual([edited.json.command, edited.json.priority], [['ls', '-l'], 7]);
  assert.equal((await ask('POST', '/jobs/a/cancel')).json.state, 'cancelled');
  assert.equal((await ask('POST', '/jobs/a/retry')).json.state, 'pending');
  assert.equal((await ask('DELETE', '/jobs/a')).status, 204);
  assert.equal(await queue.get('a'), null);
});

test("an action that a job's state forbids is a conflict and changes nothing", async (t) => {
  const { ask, queue } = await startServer(t);
  await ask('POST', '/jobs', { id: 'a', command: 'true' });
  const answers = [
    await ask('POST', '/jobs/a/retry'),
    await ask('POST', '/jobs/a/release'),
    await ask('POST', '/jobs', { id: 'a', command: 'false' }),
    await ask('PATCH', '/jobs/a', { id: 'b' }),
    await ask('POST', '/jobs/a/hold', { reson: 'typo' }),
    await ask('POST', '/jobs/nobody/cancel'),
  ];
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json.code]),
    [
      [409, 'wrong_state'],
      [409, 'not_held'],
      [409, 'job_exists'],
      [400, 'invalid_job'],
      [400, 'invalid_request'],
      [404, 'job_not_found'],
    ],
  );
  const job = await queue.get('a');
  assert.deepEqual([job?.state, job?.held, job?.command], ['pending', null, 'true']);
});

test('the reasons why a job does not run are returned as sentences and as data', async (t) => {
  const { ask } = await startServer(t);
  await ask('POST', '/jobs', { id: 'a', command: 'true' });
  const { json } = await ask('GET', '/jobs/a/why');
  assert.equal(json.waiting_reasons[0].reason, 'no_worker');
  assert.deepEqual(json.sentences, [json.waiting_reasons[0].message]);
  assert.deepEqual((await ask('GET', '/jobs/a/attempts')).json, { attempts: [] });
});

test('the graph of a job has its dependencies and its dependents', async (t) => {
  const { ask } = await startServer(t);
  await ask('POST', '/jobs', [
    { id: 'a', command: 'true' },
    { id: 'b', command: 'true', depends_on: ['a'] },
  ]);
  const { json } = await ask('GET', '/jobs/b/graph');
  assert.deepEqual(
    json.nodes.map(({ id }: { id: string }) => id),
    ['a', 'b'],
  );
  assert.deepEqual(json.edges, [{ parent: 'a', child: 'b', rule: 'success' }]);
});

test('values of variables are shown only to admins', async (t) => {
  const { ask, queue } = await startServer(t);
  await ask('POST', '/jobs', { id: 'a', command: 'true', env: { SECRET: 'tea' } });
  assert.deepEqual((await ask('GET', '/jobs/a')).json.env, { SECRET: 'tea' });
  const job = await queue.find('a');
  for (const role of ['viewer', 'enqueuer', 'operator'] as const)
    assert.deepEqual(jobFor({ name: 'somebody', role }, job).env, { SECRET: '***' });
});
