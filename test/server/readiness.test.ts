// Whether the server lives, and whether it can be of use.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { readinessOf } from '../../src/server/http/readiness.ts';
import { until } from '../support/until.ts';
import { startServer } from './support.ts';

async function looked(url: string, path: string): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, json: await response.json() };
}

test('a server with a working store is live and ready, and tells everybody', async (t) => {
  const { url } = await startServer(t);
  assert.deepEqual(await looked(url, '/healthz'), { status: 200, json: { status: 'ok' } });
  assert.deepEqual(await looked(url, '/readyz'), { status: 200, json: { status: 'ready' } });
});

test('a slow store is queried once for all clients until it responds', async () => {
  const answers: ((mark: string) => void)[] = [];
  const changeMark = (): Promise<string> => new Promise((resolve) => answers.push(resolve));
  const whyNotReady = readinessOf({ changeMark }, 20);
  assert.deepEqual(await Promise.all([whyNotReady(), whyNotReady()]), ['store_slow', 'store_slow']);
  assert.equal(await whyNotReady(), 'store_slow');
  assert.equal(answers.length, 1);
  answers[0]?.('mark');
  assert.equal(await whyNotReady(), null);
  const next = whyNotReady();
  await until('it is asked again', () => answers.length === 2);
  answers[1]?.('mark');
  assert.equal(await next, null);
});

test('a server whose database was deleted is not ready, and reveals no path to strangers', async (t) => {
  const { url, queue } = await startServer(t);
  fs.rmSync(queue.place.name);
  assert.deepEqual(await looked(url, '/readyz'), {
    status: 503,
    json: { status: 'not ready', reason: 'store_gone' },
  });
});
