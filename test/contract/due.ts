// Jobs that wait for their time: never early, and known in advance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { idsOf, leaseOf, type MakeBench } from './bench.ts';

export function comingDue(bench: MakeBench): void {
  test('a job is claimed at its start time and not a millisecond earlier', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }));
    b.later(999);
    assert.deepEqual(idsOf(await b.claim(5)), []);
    b.later(1);
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
  });

  test('a failed job is not claimed before its backoff is over', async (t) => {
    const b = await bench(t);
    await b.jobIn('failed', 'a');
    b.later(1999);
    assert.deepEqual(idsOf(await b.claim(5)), []);
    b.later(1);
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
    assert.equal((await b.job('a')).attempts, 2);
  });

  test('jobs that become due are ordered by priority, then by insertion', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('early', { runAt: T0 + 100 }), 'now', newJob('urgent', { runAt: T0 + 200, priority: 1 }));
    b.later(1000);
    assert.deepEqual(idsOf(await b.claim(5)), ['urgent', 'early', 'now']);
  });

  for (const outcome of ['completed', 'failed'] as const) {
    test(`a turn that reports a ${outcome} job claims jobs that became due in the meantime`, async (t) => {
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

  test('a turn reports when the next job becomes due', async (t) => {
    const b = await bench(t);
    await b.enqueue('now', newJob('b', { runAt: T0 + 5000 }), newJob('a', { runAt: T0 + 3000, queue: 'mail' }));
    assert.equal((await b.turn({ want: 1 })).nextDueAt, T0 + 3000);
    assert.equal((await b.turn({ want: 1 })).nextDueAt, T0 + 3000);
    b.later(3000);
    assert.equal((await b.turn({ want: 1 })).nextDueAt, T0 + 5000);
    b.later(2000);
    assert.equal((await b.turn({ want: 1 })).nextDueAt, null);
  });

  test('the backoff of a failed job counts as well', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('later', { runAt: T0 + 60_000 }));
    await b.jobIn('failed', 'a');
    assert.equal((await b.turn()).nextDueAt, T0 + 2000);
    const { nextDueAt, nextRetryAt } = await b.store.overview();
    assert.deepEqual([nextDueAt, nextRetryAt], [T0 + 2000, T0 + 2000]);
  });

  test('a cancelled or deleted job no longer counts as due', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }), newJob('b', { runAt: T0 + 2000 }));
    await b.store.cancel(['a']);
    assert.equal((await b.turn()).nextDueAt, T0 + 2000);
    await b.store.remove(['b']);
    assert.equal((await b.turn()).nextDueAt, null);
  });

  test('a turn without requests leaves due jobs to the next turn', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 1000 }));
    b.later(1000);
    assert.deepEqual(idsOf(await b.claim(0)), []);
    assert.deepEqual(idsOf(await b.claim(1)), ['a']);
  });

  test('if very many jobs become due at once, turns report more until all are claimed', async (t) => {
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

  test('a clock that was set back does not stop claims', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    b.later(-3_600_000);
    assert.deepEqual(idsOf(await b.claim()), ['a']);
  });
}
