// Who gets which job, and when none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newJob, T0, taskOf } from '../support/jobs.ts';
import { idsOf, type MakeBench } from './bench.ts';

export function claiming(bench: MakeBench): void {
  test('a claimed job is processing, held by its worker, with one more attempt', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    b.later(500);
    const [claimed] = await b.claim();
    const job = await b.job('a');
    assert.deepEqual(claimed?.job, taskOf(job));
    assert.deepEqual(
      [job.state, job.attempts, job.lockedBy, job.lockedAt, job.startedAt, job.updatedAt, job.nextRunAt],
      ['processing', 1, 'w1', T0 + 500, T0 + 500, T0 + 500, null],
    );
    assert.deepEqual([claimed?.run, claimed?.logPath, job.logPath], [1, 'logs/a.1', 'logs/a.1']);
  });

  test('a job is claimed once', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a');
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
    assert.deepEqual(idsOf(await b.claim(5)), []);
    assert.deepEqual(idsOf(await b.claim(5, {}, 'w2')), []);
  });

  test('jobs are claimed by priority, then in insertion order, over all queues', async (t) => {
    const b = await bench(t);
    const aJob = fc.record({
      priority: fc.integer({ min: -2, max: 2 }),
      queue: fc.constantFrom('default', 'a', 'b'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(aJob, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (jobs, want) => {
        await b.store.reset();
        await b.worker('w1');
        const wanted = jobs.map((job, i) => newJob(`j${i}`, job));
        await b.store.enqueue(wanted);
        const claimed: string[] = [];
        for (let batch = idsOf(await b.claim(want)); batch.length > 0; batch = idsOf(await b.claim(want))) {
          claimed.push(...batch);
        }
        const expected = wanted.toSorted((x, y) => y.priority - x.priority).map(({ id }) => id);
        assert.deepEqual(claimed, expected);
      }),
      { numRuns: 40 },
    );
  });

  test('no more jobs are claimed than requested, and none if none are requested', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c');
    assert.deepEqual(idsOf(await b.claim(0)), []);
    assert.deepEqual(idsOf(await b.claim(2)), ['a', 'b']);
    assert.deepEqual(idsOf(await b.claim(2)), ['c']);
  });

  test('a worker of some queues gets only their jobs, in the same order', async (t) => {
    const b = await bench(t);
    await b.enqueue(
      newJob('m1', { queue: 'mail' }),
      newJob('d1'),
      newJob('p1', { queue: 'print', priority: 1 }),
      newJob('m2', { queue: 'mail' }),
    );
    assert.deepEqual(idsOf(await b.claim(9, { queues: ['mail', 'print'] })), ['p1', 'm1', 'm2']);
    assert.deepEqual(idsOf(await b.claim(9, { queues: ['nowhere'] })), []);
    assert.deepEqual(idsOf(await b.claim(9, { queues: [] })), []);
  });

  test('a queue named twice counts once', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    assert.deepEqual(idsOf(await b.claim(2, { queues: ['default', 'default'] })), ['a', 'b']);
  });

  test('a turn for one job claims that job or none', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { priority: 9 }), 'b', newJob('later', { runAt: T0 + 1000 }));
    assert.deepEqual(idsOf(await b.claim(5, { only: 'b' })), ['b']);
    assert.deepEqual(idsOf(await b.claim(5, { only: 'b' })), []);
    assert.deepEqual(idsOf(await b.claim(5, { only: 'later' })), []);
    assert.deepEqual(idsOf(await b.claim(5, { only: 'unknown' })), []);
  });

  test('at most max_concurrent_jobs run at once over all workers', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a', 'b', newJob('c', { queue: 'mail' }), 'd');
    const first = await b.claim(2, { maxConcurrentJobs: 3 });
    assert.deepEqual(idsOf(first), ['a', 'b']);
    assert.deepEqual(idsOf(await b.claim(2, { maxConcurrentJobs: 3 }, 'w2')), ['c']);
    assert.deepEqual(idsOf(await b.claim(2, { maxConcurrentJobs: 3 })), []);
    assert.deepEqual(idsOf(await b.claim(2, { maxConcurrentJobs: 1 })), []);
    if (first[0]) await b.end(first[0], 'completed');
    assert.deepEqual(idsOf(await b.claim(2, { maxConcurrentJobs: 3 })), ['d']);
  });

  test('a turn with an outdated max_concurrent_jobs claims nothing and receives the new value', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('keyed', { key: 'k' }));
    await b.store.saveSetting('max_concurrent_jobs', 1);
    const old = await b.turn({ want: 2, settings: {} });
    assert.deepEqual([idsOf(old.claimed), old.settings.max_concurrent_jobs], [[], 1]);
    const known = { settings: old.settings, maxConcurrentJobs: 1 };
    assert.deepEqual(idsOf(await b.claim(2, known)), ['a']);
    await b.store.saveSetting('max_concurrent_jobs', undefined);
    assert.deepEqual(idsOf(await b.claim(2, known)), []);
    assert.deepEqual(idsOf(await b.claim(2, { settings: {} })), ['keyed']);
  });

  test('a worker that finishes a job may claim the next in the same turn', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    const { seq, run } = await b.take('a');
    const ending = { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 1 } as const;
    const { settled, claimed } = await b.turn({
      ended: [{ seq, run, ending }],
      want: 1,
      maxConcurrentJobs: 1,
    });
    assert.deepEqual([settled[0]?.state, idsOf(claimed)], ['completed', ['b']]);
  });

  test('an unknown worker gets nothing and is informed', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const { known, claimed } = await b.turn({ want: 1 }, 'stranger');
    assert.deepEqual([known, claimed], [false, []]);
    assert.equal((await b.job('a')).state, 'pending');
  });

  test('a stopping worker gets no new job and is informed', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.store.requestStop(['w1'], 'graceful');
    const { known, stopRequested, claimed } = await b.turn({ want: 1 });
    assert.deepEqual([known, stopRequested, claimed], [true, 'graceful', []]);
    assert.equal((await b.job('a')).state, 'pending');
  });

  test('a turn that finds nothing reports that', async (t) => {
    const b = await bench(t);
    await b.store.saveSetting('max_retries', 7);
    assert.deepEqual(await b.turn({ want: 5 }), {
      settled: [],
      claimed: [],
      cancelling: [],
      known: true,
      isOutdated: false,
      stopRequested: null,
      nextDueAt: null,
      more: false,
      makesRoom: false,
      nextTickAt: null,
      hasEndings: false,
      settings: { max_retries: 7 },
    });
  });

  test('every claim of a job creates a new lease', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const leases = new Set<string>();
    for (let i = 0; i < 4; i++) {
      const { seq, run } = await b.take('a');
      leases.add(`${seq}:${run}`);
      await b.end({ seq, run }, 'released');
    }
    await b.store.cancel(['a']);
    await b.store.retry(['a'], ['cancelled']);
    const { seq, run } = await b.take('a');
    assert.ok(!leases.has(`${seq}:${run}`));
    assert.equal(leases.size, 4);
  });

  test('a lease is not reused after a reset', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const before = await b.take('a');
    await b.store.reset();
    await b.worker('w1');
    await b.enqueue('a');
    const after = await b.take('a');
    assert.notDeepEqual([before.seq, before.run], [after.seq, after.run]);
  });
}
