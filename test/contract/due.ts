// Jobs that wait for their time: never early, and known in advance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { idsOf, leaseOf, type MakeBench } from './bench.ts';

export function comingDue(bench: MakeBench): void {
  test('a job is not claimed a millisecond before its time, and at its time it is', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }));
    b.later(999);
    assert.deepEqual(idsOf(await b.claim(5)), []);
    b.later(1);
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
  });

  test('a failed job is not claimed before its wait is over', async (t) => {
    const b = await bench(t);
    await b.jobIn('failed', 'a');
    b.later(1999);
    assert.deepEqual(idsOf(await b.claim(5)), []);
    b.later(1);
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
    assert.equal((await b.job('a')).attempts, 2);
  });

  test('jobs that came due take their place by priority, then in the order they came in', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('early', { runAt: T0 + 100 }), 'now', newJob('urgent', { runAt: T0 + 200, priority: 1 }));
    b.later(1000);
    assert.deepEqual(idsOf(await b.claim(5)), ['urgent', 'early', 'now']);
  });

  for (const outcome of ['completed', 'failed'] as const) {
    test(`a turn that tells of a ${outcome} job hands out what came due meanwhile in its place`, async (t) => {
      const b = await bench(t);
      await b.enqueue('running');
      const ending = { ...leaseOf(await b.take('running')), ending: endings[outcome] };
      await b.enqueue('now', newJob('urgent', { runAt: T0 + 200, priority: 1 }), 'later');
      b.later(200);
      const { settled, claimed, nextDueAt } = await b.turn({ ended: [ending], want: 2 });
      assert.deepEqual([settled[0]?.state, idsOf(claimed)], [outcome, ['urgent', 'now']]);
      assert.equal(nextDueAt, (await b.job('running')).nextRunAt);
    });
  }

  test('a turn tells when the next job becomes due', async (t) => {
    const b = await bench(t);
    await b.enqueue('now', newJob('b', { runAt: T0 + 5000 }), newJob('a', { runAt: T0 + 3000, queue: 'mail' }));
    assert.equal((await b.turn({ want: 1 })).nextDueAt, T0 + 3000);
    assert.equal((await b.turn({ want: 1 })).nextDueAt, T0 + 3000);
    b.later(3000);
    assert.equal((await b.turn({ want: 1 })).nextDueAt, T0 + 5000);
    b.later(2000);
    assert.equal((await b.turn({ want: 1 })).nextDueAt, null);
  });

  test('the wait of a failed job counts as well', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('later', { runAt: T0 + 60_000 }));
    await b.jobIn('failed', 'a');
    assert.equal((await b.turn()).nextDueAt, T0 + 2000);
    const { nextDueAt, nextRetryAt } = await b.store.overview();
    assert.deepEqual([nextDueAt, nextRetryAt], [T0 + 2000, T0 + 2000]);
  });

  test('a cancelled or removed job is waited for no longer', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }), newJob('b', { runAt: T0 + 2000 }));
    await b.store.cancel(['a']);
    assert.equal((await b.turn()).nextDueAt, T0 + 2000);
    await b.store.remove(['b']);
    assert.equal((await b.turn()).nextDueAt, null);
  });

  test('a turn that wants nothing leaves due jobs to be claimed by the next', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }));
    b.later(1000);
    assert.deepEqual(idsOf(await b.claim(0)), []);
    assert.deepEqual(idsOf(await b.claim(1)), ['a']);
  });

  test('when very many come due at once, turns say that there is more until all are taken', async (t) => {
    const b = await bench(t);
    const many = Array.from({ length: 2500 }, (_, i) => newJob(`j${i}`, { runAt: T0 + 1000 }));
    await b.store.enqueue(many);
    b.later(1000);
    const claimed: string[] = [];
    for (let more = true; more; ) {
      const turn = await b.turn({ want: 5000 });
      claimed.push(...idsOf(turn.claimed));
      more = turn.more;
    }
    assert.deepEqual(claimed.toSorted(), many.map(({ id }) => id).toSorted());
  });

  test('a clock that was set back keeps nothing from being claimed', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    b.later(-3_600_000);
    assert.deepEqual(idsOf(await b.claim()), ['a']);
  });
}
