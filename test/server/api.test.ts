import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '../../src/queue/queue.ts';
import { intakeOf } from '../../src/server/intake.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from './support.ts';

test('a job enqueued over HTTP is in the queue, and is returned as the command line shows it', async (t) => {
  const { ask, queue } = await startServer(t);
  const { status, json } = await ask('POST', '/jobs', { id: 'a', command: 'true', priority: 3 });
  assert.equal(status, 201);
  assert.deepEqual([json.jobs[0].id, json.jobs[0].priority, json.jobs[0].state], ['a', 3, 'pending']);
  assert.equal((await queue.get('a'))?.priority, 3);
  assert.equal((await ask('GET', '/jobs/a')).json.command, 'true');
  assert.deepEqual((await ask('GET', '/jobs?filter=state:dead')).json, {
    jobs: [],
    next: null,
    searched: null,
  });
});

test('a list of jobs is stored completely or not at all', async (t) => {
  const { ask, queue } = await startServer(t);
  const rejected = await ask('POST', '/jobs', [{ command: 'true' }, { command: 'true', prio: 3 }]);
  assert.deepEqual([rejected.status, rejected.json.code], [400, 'invalid_job']);
  assert.equal(rejected.headers.get('content-type'), 'application/problem+json');
  assert.equal(await queue.countOf({}), 0);
});

test('an invalid request is rejected with a sentence and a hint', async (t) => {
  const { ask } = await startServer(t);
  const answers = [
    await ask('GET', '/jobs?limt=3'),
    await ask('GET', '/jobs?limit=0'),
    await ask('GET', '/jobs?filter=stat:dead'),
    await ask('GET', '/jobs/none'),
    await ask('GET', '/nothing'),
    await ask('POST', '/jobs', { command: 'true' }, { 'content-type': 'text/plain' }),
  ];
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json.code]),
    [
      [400, 'unknown_parameter'],
      [400, 'invalid_request'],
      [400, 'invalid_filter'],
      [404, 'job_not_found'],
      [404, 'no_such_route'],
      [415, 'not_json'],
    ],
  );
});

test('a request without the token or with a foreign host name is rejected', async (t) => {
  const { ask, url } = await startServer(t);
  assert.equal((await ask('GET', '/stats', undefined, { authorization: 'Bearer wrong' })).status, 401);
  assert.equal((await fetch(`${url}/api/v1/stats`)).status, 401);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal((await ask('GET', '/stats')).status, 200);
});

test('a job enqueued over HTTP runs with the environment of its worker, not of the server', async (t) => {
  const folder = temporaryFolder(t);
  const shellEnvironment = { SECRET_OF_THE_SERVER: 'x' };
  const queue = await Queue.open({
    db: `${folder}/queue.db`,
    environment: {},
    shellEnvironment,
    cwd: folder,
  });
  t.after(() => queue.close());
  const { read, enqueue, environment } = await intakeOf(queue);
  const [job] = await enqueue([read({ command: 'true' })]);
  assert.equal(environment, null);
  assert.equal(await queue.environmentOf(String(job?.id)), null);
  assert.equal(job?.cwd, folder);
});
