// Settings kept in the queue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MakeBench } from './bench.ts';

export function settings(bench: MakeBench): void {
  test('a new queue has no stored settings', async (t) => {
    const { store } = await bench(t);
    assert.deepEqual(await store.settings(), {});
  });

  test('a value keeps its type: number, text, null', async (t) => {
    const { store } = await bench(t);
    await store.saveSetting('backoff_base', 1.5);
    await store.saveSetting('shell', "/bin/sh -c 'é'");
    await store.saveSetting('job_timeout', null);
    assert.deepEqual(await store.settings(), {
      backoff_base: 1.5,
      shell: "/bin/sh -c 'é'",
      job_timeout: null,
    });
  });

  test('a new value replaces the old one, and null deletes it', async (t) => {
    const { store } = await bench(t);
    await store.saveSetting('max_retries', 5);
    await store.saveSetting('max_retries', 6);
    assert.deepEqual(await store.settings(), { max_retries: 6 });
    await store.saveSetting('max_retries', undefined);
    assert.deepEqual(await store.settings(), {});
    await store.saveSetting('max_retries', undefined);
  });

  test('other connections see settings, and every turn returns them', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    await b.store.saveSetting('kill_grace', 9);
    assert.deepEqual(await other.settings(), { kill_grace: 9 });
    assert.deepEqual((await b.turn({}, 'w1', other)).settings, { kill_grace: 9 });
  });

  test('settings persist when the queue is opened again', async (t) => {
    const b = await bench(t);
    await b.store.saveSetting('max_retries', 5);
    await b.store.close();
    assert.deepEqual(await (await b.open()).settings(), { max_retries: 5 });
  });
}
