// Unique jobs: of those with one key only one is let in, however many come at once and by whichever way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewJob } from '../../src/job/job.ts';
import type { Store } from '../../src/store/store.ts';
import { newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { type Bench, leaseOf, type MakeBench } from './bench.ts';

const unique = (id: string, more: Partial<NewJob> = {}): NewJob => newJob(id, { uniqueKey: 'k', ...more });

/** Both ways in; each answers the ids of the jobs that are there in the end. */
const WAYS: Readonly<Record<string, (store: Store, ...jobs: NewJob[]) => Promise<string[]>>> = {
  enqueued: async (store, ...jobs) => (await store.enqueue(jobs)).map(({ id }) => id),
  staged: async (store, ...jobs) => {
    const stage = await store.stage();
    await stage.add(jobs);
    await stage.commit();
    await stage.discard();
    return jobs.map(({ id }) => stage.instead.get(id) ?? id);
  },
};

const states = async (b: Bench): Promise<Record<string, string>> =>
  Object.fromEntries((await b.all()).map(({ id, state }) => [id, state]));

export function uniqueness(bench: MakeBench): void {
  for (const [way, add] of Object.entries(WAYS)) {
    test(`a unique job that is ${way} is skipped while another waits, and the existing job is returned`, async (t) => {
      const b = await bench(t);
      assert.deepEqual(await add(b.store, unique('a')), ['a']);
      assert.deepEqual(await add(b.store, unique('b'), newJob('c')), ['a', 'c']);
      assert.deepEqual(await b.ids(), ['a', 'c']);
      assert.equal((await b.job('a')).uniqueKey, 'k');
    });

    test(`a unique job that is ${way} is stored next to a running one, unless it must be unfinished`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      const lease = await b.take('a');
      assert.deepEqual(await add(b.store, unique('b', { uniqueFor: 'unfinished' })), ['a']);
      assert.deepEqual(await add(b.store, unique('c')), ['c']);
      await b.end(lease, 'completed');
      await b.run('c', 'completed');
      assert.deepEqual(await add(b.store, unique('d', { uniqueFor: 'unfinished' })), ['d']);
    });

    test(`a unique job that is ${way} is skipped for a period after the other was enqueued`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      await b.run('a', 'completed');
      b.later(999);
      assert.deepEqual(await add(b.store, unique('b', { uniqueFor: 1 })), ['a']);
      assert.deepEqual(await add(b.store, unique('c', { uniqueFor: 0.9 })), ['c']);
      b.later(1001);
      await b.run('c', 'completed');
      assert.deepEqual(await add(b.store, unique('d', { uniqueFor: 1 })), ['d']);
    });

    test(`a unique job that is ${way} and replaces cancels the waiting one with the reason`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      assert.deepEqual(await add(b.store, unique('b', { ifExists: 'replace' })), ['b']);
      assert.deepEqual(await states(b), { a: 'cancelled', b: 'pending' });
      assert.match((await b.job('a')).lastError ?? '', /replaced by b/);
    });

    test(`a unique job that is ${way} and replaces requests cancelling the running one`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      const lease = await b.take('a');
      const more = { ifExists: 'replace', uniqueFor: 'unfinished' } as const;
      assert.deepEqual(await add(b.store, unique('b', more)), ['b']);
      assert.deepEqual(await states(b), { a: 'processing', b: 'pending' });
      assert.deepEqual((await b.turn()).cancelling.map(leaseOf), [leaseOf(lease)]);
    });

    test(`a unique job that is ${way} and replaces leaves a finished one unchanged`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      await b.run('a', 'completed');
      await add(b.store, unique('b', { ifExists: 'replace', uniqueFor: 1 }));
      assert.deepEqual(await states(b), { a: 'completed', b: 'pending' });
      assert.equal((await b.job('a')).lastError, null);
    });

    test(`a unique job that is ${way} can be an error, and then nothing is stored`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      const error = await rejection('not_unique', () => add(b.store, newJob('x'), unique('b', { ifExists: 'error' })));
      assert.deepEqual([error.details.id, error.details.key], ['a', 'k']);
      assert.deepEqual(await b.ids(), ['a']);
    });

    test(`of equal unique jobs that are ${way} together the first is stored, or the last that replaces`, async (t) => {
      const b = await bench(t);
      assert.deepEqual(await add(b.store, unique('a'), unique('b'), unique('c')), ['a', 'a', 'a']);
      const replacing = [unique('d'), unique('e', { ifExists: 'replace' }), unique('f')];
      assert.deepEqual(await add(b.store, ...replacing), ['a', 'e', 'e']);
      assert.deepEqual(await states(b), { a: 'cancelled', e: 'pending' });
      await rejection('not_unique', () =>
        add(b.store, unique('g', { uniqueKey: 'z' }), unique('h', { uniqueKey: 'z', ifExists: 'error' })),
      );
    });

    test(`a dependent of a unique job that is ${way} and skipped waits for the existing one`, async (t) => {
      const b = await bench(t);
      await b.enqueue(unique('a'));
      const child = newJob('c', { dependsOn: [{ kind: 'job', on: 'b', rule: 'success' }] });
      assert.deepEqual(await add(b.store, unique('b'), child), ['a', 'c']);
      assert.deepEqual((await b.job('c')).dependsOn, [{ kind: 'job', on: 'a', rule: 'success' }]);
      assert.equal((await b.job('c')).state, 'blocked');
    });

    test(`of twenty jobs that are ${way} at once exactly one is stored`, async (t) => {
      const b = await bench(t);
      const stores = await Promise.all(Array.from({ length: 10 }, () => b.open()));
      const ids = Array.from({ length: 20 }, (_, i) => `j${i}`);
      const came = await Promise.all(
        ids.map((id, i) => {
          const store = stores[i % stores.length] as Store;
          return way === 'enqueued' || i < stores.length ? add(store, unique(id)) : [];
        }),
      );
      const [only] = await b.ids();
      assert.deepEqual(await b.ids(), [only]);
      for (const answer of came.flat()) assert.equal(answer, only);
    });
  }

  test('a blocked and a failed job count as waiting', async (t) => {
    const b = await bench(t);
    await b.enqueue('parent');
    await b.enqueue(unique('a', { dependsOn: [{ kind: 'job', on: 'parent', rule: 'success' }] }));
    await b.enqueue(unique('b'));
    await b.enqueue(unique('c', { uniqueKey: 'other' }));
    await b.run('c', 'failed');
    await b.enqueue(unique('d', { uniqueKey: 'other' }));
    assert.deepEqual(await states(b), { parent: 'pending', a: 'blocked', c: 'failed' });
  });

  test('keys with any text are distinguished', async (t) => {
    const b = await bench(t);
    const keys = ['a', 'A', 'a ', 'ä', 'a\u0308', "it's", '%', '_'];
    await b.enqueue(...keys.map((uniqueKey, i) => newJob(`j${i}`, { uniqueKey })));
    await b.enqueue(...keys.map((uniqueKey, i) => newJob(`again${i}`, { uniqueKey })));
    assert.equal((await b.ids()).length, keys.length);
  });
}
