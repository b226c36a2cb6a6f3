// Figures about what has run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../src/job/job.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

/** Waits, runs and ends in the given way. */
async function runFor(b: Bench, id: string, waitMs: number, runMs: number, outcome: Outcome): Promise<void> {
  await b.enqueue(newJob(id, { maxRetries: 0 }));
  b.later(waitMs);
  const claimed = await b.take(id);
  b.later(runMs);
  await b.end(claimed, outcome, { durationMs: runMs });
}

export function figures(bench: MakeBench): void {
  test('a queue without attempts has no figures', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    assert.deepEqual(await b.store.figures(), {
      attempts: 0,
      outcomes: {},
      averageAttempts: null,
      runMs: null,
      waitMs: null,
      cpuMs: null,
      peakMemoryBytes: null,
      completedWithin: { minute: 0, hour: 0, day: 0 },
    });
  });

  test('attempts are counted by outcome, without running ones', async (t) => {
    const b = await bench(t);
    await runFor(b, 'a', 0, 10, 'completed');
    await runFor(b, 'b', 0, 10, 'completed');
    await runFor(b, 'c', 0, 10, 'timeout');
    await b.jobIn('processing');
    const { attempts, outcomes } = await b.store.figures();
    assert.deepEqual([attempts, outcomes], [4, { completed: 2, timeout: 1 }]);
  });

  test('run times and waiting times have percentiles', async (t) => {
    const b = await bench(t);
    for (let i = 1; i <= 100; i++) await runFor(b, `j${i}`, i, i * 10, 'completed');
    const { runMs, waitMs } = await b.store.figures();
    assert.deepEqual(runMs, { count: 100, avg: 505, min: 10, max: 1000, p50: 500, p95: 950, p99: 990 });
    assert.deepEqual(waitMs, { count: 100, avg: 50.5, min: 1, max: 100, p50: 50, p95: 95, p99: 99 });
  });

  test('used resources have percentiles over the attempts that recorded them', async (t) => {
    const b = await bench(t);
    const usages = [
      { peakMemoryBytes: 4096, cpuUserMs: 30, cpuSystemMs: 10 },
      { peakMemoryBytes: null, cpuUserMs: 60, cpuSystemMs: null },
      null,
    ];
    for (const [i, usage] of usages.entries()) {
      await b.enqueue(`u${i}`);
      const { seq, run } = await b.take(`u${i}`);
      await b.turn({ ended: [{ seq, run, ending: endings.completed, usage }] });
    }
    const { cpuMs, peakMemoryBytes } = await b.store.figures();
    assert.deepEqual([cpuMs?.count, cpuMs?.avg, cpuMs?.max], [2, 50, 60]);
    assert.deepEqual([peakMemoryBytes?.count, peakMemoryBytes?.p95], [1, 4096]);
  });

  test('percentiles of one job are its own value', async (t) => {
    const b = await bench(t);
    await runFor(b, 'a', 3, 7, 'failed');
    const { runMs } = await b.store.figures();
    assert.deepEqual(runMs, { count: 1, avg: 7, min: 7, max: 7, p50: 7, p95: 7, p99: 7 });
  });

  test('jobs cut short by their worker do not count towards run times', async (t) => {
    const b = await bench(t);
    await runFor(b, 'a', 0, 10, 'released');
    await runFor(b, 'b', 0, 10, 'not_started');
    assert.equal((await b.store.figures()).runMs, null);
  });

  test('waiting begins when a job could have run', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 60_000 }));
    b.later(60_500);
    await b.run('a', 'completed');
    assert.equal((await b.store.figures()).waitMs?.max, 500);
  });

  test('waiting for a start time does not count after a retry either', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 60_000 }));
    b.later(60_500);
    await b.run('a', 'completed');
    await b.store.retry(['a'], ['completed']);
    assert.equal((await b.store.figures()).waitMs?.max, 500);
  });

  test('average attempts cover finished jobs', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { backoffBase: 0, backoffStrategy: 'fixed' }));
    for (const outcome of ['failed', 'failed', 'completed'] as const) await b.run('a', outcome);
    await b.jobIn('completed');
    await b.jobIn('failed');
    assert.equal((await b.store.figures()).averageAttempts, 2);
  });

  test('throughput covers the time until now', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed', 'a');
    b.later(86_400_000 - 3_600_000);
    await b.jobIn('completed', 'b');
    b.later(3_600_000 - 60_000);
    await b.jobIn('completed', 'c');
    b.later(59_999);
    await b.jobIn('dead', 'd');
    assert.deepEqual((await b.store.figures()).completedWithin, { minute: 1, hour: 2, day: 3 });
    b.later(1);
    assert.deepEqual((await b.store.figures()).completedWithin, { minute: 0, hour: 1, day: 2 });
  });
}
