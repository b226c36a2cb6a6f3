// Waking: whoever listens hears of what is worth another look.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';
import { type Bench, type MakeBench, policy } from './bench.ts';
import { rescue } from '../support/workers.ts';

/** Who changes something, and what: always through another connection than the one that listens. */
const changes: Record<string, (b: Bench) => Promise<unknown>> = {
  'a new job': (b) => b.enqueue('new'),
  'committed jobs': async (b) => {
    const stage = await b.store.stage();
    await stage.add([newJob('new')]);
    await stage.commit();
  },
  'a retried job': (b) => b.store.retry(['completed'], ['completed']),
  'a wish to cancel': (b) => b.store.cancel(['processing']),
  'a wish to stop': (b) => b.store.requestStop(['w1'], 'graceful'),
  'a changed setting': (b) => b.store.saveSetting('max_concurrent_jobs', 3),
  'a rescued job': (b) => rescue(b.store, 'w1', policy),
};

/** What nobody is woken by. */
const quietChanges: Record<string, (b: Bench) => Promise<unknown>> = {
  'a removed job': (b) => b.store.remove(['completed']),
  'a sign of life': (b) => {
    b.now += 1000;
    return b.store.renew('w1', { notice: null, leaseMs: 30_000 });
  },
};

export function waking(bench: MakeBench): void {
  for (const [what, change] of Object.entries(changes)) {
    test(`${what} wakes listeners on another connection`, async (t) => {
      const b = await bench(t);
      await b.jobIn('completed');
      await b.jobIn('processing');
      const other = await b.open();
      let heard = 0;
      t.after(other.onWake(() => heard++));
      await change(b);
      await until(`${what} is heard of`, () => heard > 0);
    });
  }

  for (const [what, change] of Object.entries({ ...changes, ...quietChanges })) {
    test(`${what} changes the change marker on its own connection and on another`, async (t) => {
      const b = await bench(t);
      await b.jobIn('completed');
      await b.jobIn('processing');
      const other = await b.open();
      const marks = async () => [await b.store.changeMark(), await other.changeMark()];
      const [own, others] = await marks();
      await change(b);
      const [ownThen, othersThen] = await marks();
      assert.notEqual(ownThen, own);
      assert.notEqual(othersThen, others);
    });
  }

  test('a stopped listener is not woken', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    let [heardByFirst, heardBySecond] = [0, 0];
    const stop = other.onWake(() => heardByFirst++);
    t.after(other.onWake(() => heardBySecond++));
    stop();
    await b.enqueue('a');
    await until('the one who still listens hears of it', () => heardBySecond > 0);
    assert.equal(heardByFirst, 0);
    stop();
  });

  test('a listener is woken by every change, not only the first', async (t) => {
    const b = await bench(t);
    let heard = 0;
    t.after(b.store.onWake(() => heard++));
    for (const id of ['a', 'b', 'c']) {
      const before = heard;
      await b.enqueue(id);
      await until(`job ${id} is heard of`, () => heard > before);
    }
  });
}
