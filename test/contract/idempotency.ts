// Requests that come twice: the first is done, the others learn what became of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyedRequest } from '../../src/store/store.ts';
import { T0 } from '../support/jobs.ts';
import type { MakeBench } from './bench.ts';

const request = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  principal: 'ann',
  key: 'k1',
  requestHash: 'h1',
  createdAt: T0,
  ...more,
});
const NEVER = 0;

export function idempotency(bench: MakeBench): void {
  test('the first request runs, concurrent ones learn that it is running, and later ones get its response', async (t) => {
    const { idempotency } = (await bench(t)).store;
    assert.equal(await idempotency.begin(request(), NEVER), null);
    const again = () => idempotency.begin(request({ requestHash: 'h2', createdAt: T0 + 1 }), NEVER);
    assert.deepEqual(await again(), { requestHash: 'h1', response: null });
    await idempotency.finish(request(), '{"jobs":["é"]}');
    assert.deepEqual(await again(), { requestHash: 'h1', response: '{"jobs":["é"]}' });
  });

  test('a key belongs to its sender', async (t) => {
    const { idempotency } = (await bench(t)).store;
    await idempotency.begin(request(), NEVER);
    assert.equal(await idempotency.begin(request({ principal: 'bob' }), NEVER), null);
  });

  test('of many requests that start at once, one runs', async (t) => {
    const b = await bench(t);
    const stores = [b.store, await b.open(), await b.open()];
    const begun = await Promise.all(
      stores.flatMap(({ idempotency }, i) => [
        idempotency.begin(request({ createdAt: T0 + i }), NEVER),
        idempotency.begin(request({ createdAt: T0 + i + 10 }), NEVER),
      ]),
    );
    assert.equal(begun.filter((known) => known === null).length, 1);
  });

  test('an abandoned or long unfinished request can start again', async (t) => {
    const { idempotency } = (await bench(t)).store;
    await idempotency.begin(request(), NEVER);
    await idempotency.abandon(request());
    assert.equal(await idempotency.begin(request(), NEVER), null);
    assert.notEqual(await idempotency.begin(request({ createdAt: T0 + 9 }), T0), null);
    assert.equal(await idempotency.begin(request({ requestHash: 'h2', createdAt: T0 + 9 }), T0 + 1), null);
    await idempotency.finish(request(), 'done');
    await idempotency.abandon(request());
    assert.deepEqual(await idempotency.begin(request(), T0 + 99), { requestHash: 'h2', response: 'done' });
  });

  test('old requests are deleted', async (t) => {
    const { idempotency } = (await bench(t)).store;
    await idempotency.begin(request(), NEVER);
    await idempotency.finish(request(), 'done');
    await idempotency.begin(request({ key: 'k2', createdAt: T0 + 10 }), NEVER);
    assert.equal(await idempotency.forget(T0 + 5), 1);
    assert.equal(await idempotency.begin(request(), NEVER), null);
    assert.notEqual(await idempotency.begin(request({ key: 'k2' }), NEVER), null);
  });
}
