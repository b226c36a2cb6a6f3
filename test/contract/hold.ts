// A queue that is being moved is held: workers cannot register until it is over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../support/rejection.ts';
import { plainWorker } from '../support/workers.ts';
import { identity, type MakeBench } from './bench.ts';

const worker = (id: string) => ({ ...identity(id), ...plainWorker });

export function holding(bench: MakeBench): void {
  test('while a queue is locked no worker registers on any connection, and afterwards they do', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    const hold = await other.hold();
    for (const store of [b.store, other]) {
      const error = await rejection('queue_moving', () => store.registerWorker(worker('w2')));
      assert.equal(error.exitCode, 4);
    }
    assert.equal(await hold.isHeld(), true);
    await hold.release();
    await b.store.registerWorker(worker('w2'));
    assert.deepEqual(
      (await b.store.workers()).map(({ id }) => id),
      ['w1', 'w2'],
    );
  });

  test('a registered worker is left alone and visible', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const hold = await b.store.hold();
    assert.deepEqual(
      (await b.store.workers()).map(({ id }) => id),
      ['w1'],
    );
    assert.equal((await b.take('a')).run, 1);
    await hold.release();
  });

  test('only one client locks a queue at a time', async (t) => {
    const b = await bench(t);
    const [first, other] = [await b.store.hold(), await b.open()];
    await rejection('queue_moving', () => other.hold());
    assert.equal(await first.isHeld(), true);
    await first.release();
    await (await other.hold()).release();
  });

  test("workers that register while a queue is being locked are either visible to the lock's owner or rejected", async (t) => {
    const b = await bench(t);
    const stores = [await b.open(), await b.open(), await b.open()];
    const registering = stores.map((store, i) => store.registerWorker(worker(`w${i + 2}`)));
    const settled = Promise.allSettled(registering);
    const hold = await b.store.hold();
    const seen = (await b.store.workers()).map(({ id }) => id);
    const results = await settled;
    const registered = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [`w${i + 2}`] : []));
    assert.deepEqual(seen.sort(), ['w1', ...registered]);
    await hold.release();
  });
}
