import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exposition } from '../support/prometheus.ts';
import { startServer } from './support.ts';

test('/metrics rejects a page of another site, also without login', async (t) => {
  for (const noAuth of [false, true]) {
    const { url, token } = await startServer(t, { noAuth });
    const headers = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' };
    assert.equal((await fetch(`${url}/metrics`, { headers })).status, 403);
  }
});

test('/metrics requires a token and returns the state of the queue', async (t) => {
  const { url, token, queue } = await startServer(t);
  await queue.enqueue([{ command: 'true', queue: 'mail' }]);
  assert.equal((await fetch(`${url}/metrics`)).status, 401);
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const told = new Exposition(await answer.text());
  assert.equal(told.value('queuectl_jobs', { state: 'pending', queue: 'mail' }), 1);
});
