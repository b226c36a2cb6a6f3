// Many jobs changed in one transaction: those that match and may be changed so; all others stay as they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGEABLE, type Change } from '../../src/job/change.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { type MakeBench, REACHABLE } from './bench.ts';

const CHANGES: readonly Change[] = [
  { kind: 'retry' },
  { kind: 'cancel' },
  { kind: 'delete' },
  { kind: 'hold', reason: 'later' },
  { kind: 'release' },
  { kind: 'run-now' },
  { kind: 'edit', edit: { priority: 3 } },
];

export function changingMany(bench: MakeBench): void {
  for (const change of CHANGES) {
    test(`${change.kind} changes jobs in the states that allow it and no others`, async (t) => {
      const b = await bench(t);
      for (const state of REACHABLE) await b.jobIn(state);
      const before = new Map((await b.all()).map((job) => [job.id, job]));
      b.later(10);
      const { jobs } = await b.store.changeSome([...REACHABLE, 'nowhere'], {}, change);
      const allowed = REACHABLE.filter((state) => CHANGEABLE[change.kind].includes(state));
      assert.equal(jobs, allowed.length);
      for (const state of REACHABLE) {
        const now = await b.store.get(state);
        if (!allowed.includes(state)) assert.deepEqual(now, before.get(state));
        else assert.equal(now?.updatedAt ?? T0 + 10, T0 + 10, state);
      }
      assert.deepEqual(await b.store.check(), []);
    });
  }

  test('a change applies only to matching jobs among the IDs', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { queue: 'mail' }), newJob('b', { queue: 'mail' }), 'c');
    const { jobs } = await b.store.changeSome(['a', 'c'], { queue: 'mail' }, { kind: 'delete' });
    assert.equal(jobs, 1);
    assert.deepEqual(await b.ids(), ['b', 'c']);
    assert.equal((await b.store.changeSome([], {}, { kind: 'delete' })).jobs, 0);
  });

  test('a job cancelled while it runs is marked and named', async (t) => {
    const b = await bench(t);
    await b.jobIn('processing');
    await b.enqueue('waiting');
    const { jobs, ending } = await b.store.changeSome(['processing', 'waiting'], {}, { kind: 'cancel' });
    assert.deepEqual([jobs, ending], [2, ['processing']]);
    assert.equal((await b.job('waiting')).state, 'cancelled');
    const { cancelling } = await b.turn();
    assert.equal(cancelling.length, 1);
  });

  test('a deleted job leaves only its log files, which are named', async (t) => {
    const b = await bench(t);
    await b.jobIn('dead');
    const { logPaths } = await b.store.changeSome(['dead'], {}, { kind: 'delete' });
    assert.deepEqual(logPaths, ['logs/dead.1']);
    assert.deepEqual(await b.store.history('dead'), []);
  });

  test('an edit of many jobs has the result of single edits', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('b', { runAt: T0 + 5000 }));
    await b.store.changeSome(['a', 'b'], {}, { kind: 'edit', edit: { queue: 'mail', tags: ['t'] } });
    const moved = await b.store.list({ tag: 't', sort: 'created', descending: false, limit: null });
    assert.deepEqual(
      moved.map(({ id, queue, nextRunAt }) => [id, queue, nextRunAt]),
      [
        ['a', 'mail', T0],
        ['b', 'mail', T0 + 5000],
      ],
    );
  });
}
