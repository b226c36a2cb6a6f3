// Operations of the API by their ids: every one has a route, and a call becomes the right request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Caller } from '../../src/library/caller.ts';
import { OPERATIONS } from '../../src/server/operations.ts';
import { ROUTES } from '../../src/server/routes/routes.ts';

interface Sent {
  readonly path: string;
  readonly method: string | undefined;
  readonly body: unknown;
}

function callerThat(answers: unknown): { caller: Caller; sent: Sent[] } {
  const sent: Sent[] = [];
  const send = async (path: string, { method, body }: RequestInit): Promise<Response> => {
    sent.push({ path, method, body: typeof body === 'string' ? JSON.parse(body) : body });
    return Response.json(answers);
  };
  return { caller: new Caller({ name: 'test', hasToken: true, send }), sent };
}

test('the operation table and the routes name the same operations', () => {
  assert.deepEqual(ROUTES.map(({ id }) => id).sort(), Object.keys(OPERATIONS).sort());
});

test('parameters of the path go there, and all others into the query', async () => {
  const { caller, sent } = callerThat({ ticks: [], next: null });
  await caller.call('listTicks', { name: 'a/b c', limit: 5 });
  await caller.call('listJobs', { filter: 'state:dead', after: undefined });
  assert.deepEqual(sent, [
    { path: '/api/v1/schedules/a%2Fb%20c/ticks?limit=5', method: 'GET', body: undefined },
    { path: '/api/v1/jobs?filter=state%3Adead', method: 'GET', body: undefined },
  ]);
});

test('a body is sent as JSON, and an empty one where none is given', async () => {
  const { caller, sent } = callerThat({ id: 'j1', state: 'pending' });
  const { state } = await caller.call('holdJob', { id: 'j1' }, { reason: 'later' });
  await caller.call('releaseJob', { id: 'j1' });
  assert.equal(state, 'pending');
  assert.deepEqual(sent, [
    { path: '/api/v1/jobs/j1/hold', method: 'POST', body: { reason: 'later' } },
    { path: '/api/v1/jobs/j1/release', method: 'POST', body: {} },
  ]);
});

test('names that mean something else in a path are rejected before anything is sent', async () => {
  const { caller, sent } = callerThat({});
  await assert.rejects(caller.call('getJob', { id: '' }), { code: 'job_not_found' });
  for (const name of ['', '.', '..']) await assert.rejects(caller.call('getGroup', { name }), { code: 'usage' });
  assert.deepEqual(sent, []);
});

test('a call that does not fit the schemas does not compile', () => {
  const { caller } = callerThat({});
  const wrong = [
    // @ts-expect-error: a hold has a reason, and nothing else
    () => caller.call('holdJob', { id: 'j1' }, { why: 'later' }),
    // @ts-expect-error: the id is missing
    () => caller.call('getJob', {}),
    // @ts-expect-error: there is no such operation
    () => caller.call('noSuchOperation', {}),
  ];
  assert.equal(wrong.length, 3);
});
