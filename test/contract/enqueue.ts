// Jobs in: exactly as they were given, all of them or none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newJob, T0 } from '../support/jobs.ts';
import { aNewJob } from '../support/random-jobs.ts';
import { rejection } from '../support/rejection.ts';
import { idsOf, type MakeBench } from './bench.ts';

export function enqueueing(bench: MakeBench): void {
  test('an enqueued job is pending, due now, and has never run', async (t) => {
    const { store } = await bench(t);
    const { groupConcurrency: _, groupHooks: __, uniqueFor: _for, ifExists: _then, stdin: _in, ...job } = newJob('a');
    await store.enqueue([newJob('a')]);
    assert.deepEqual(await store.get('a'), {
      ...job,
      state: 'pending',
      held: null,
      attempts: 0,
      interruptions: 0,
      interruptionsInRow: 0,
      snoozes: 0,
      stdinBytes: null,
      progress: null,
      progressNote: null,
      result: null,
      nextRunAt: T0,
      createdAt: T0,
      updatedAt: T0,
      startedAt: null,
      finishedAt: null,
      durationMs: null,
      exitCode: null,
      signal: null,
      lastError: null,
      fingerprint: null,
      lockedBy: null,
      lockedAt: null,
      cancelRequestedAt: null,
      logPath: null,
      usage: null,
    });
  });

  test('any valid job is stored exactly, and returned as stored', async (t) => {
    const { store } = await bench(t);
    const someJobs = fc.uniqueArray(aNewJob, { minLength: 1, maxLength: 5, selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(someJobs, async (jobs) => {
        const answered = await store.enqueue(jobs);
        for (const [i, job] of jobs.entries()) {
          const kept = await store.get(job.id);
          assert.deepEqual(kept, answered[i]);
          const { groupConcurrency: _, groupHooks: __, uniqueFor: _for, ifExists: _then, stdin, ...fields } = job; // kept elsewhere, or not at all
          assert.equal(kept?.stdinBytes, stdin?.length ?? null);
          assert.deepEqual({ ...kept, ...fields }, kept);
        }
        await store.reset();
      }),
      { numRuns: 50 },
    );
  });

  test('a job with a start time in the past is due now and keeps that time', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 - 5000 }));
    const { runAt, nextRunAt } = await b.job('a');
    assert.deepEqual([runAt, nextRunAt], [T0 - 5000, T0]);
  });

  test('IDs that differ in case are two IDs', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'A');
    assert.deepEqual(await b.ids(), ['a', 'A']);
  });

  test('enqueueing no jobs succeeds', async (t) => {
    const b = await bench(t);
    assert.deepEqual(await b.store.enqueue([]), []);
    assert.deepEqual(await b.ids(), []);
  });

  test('a taken ID is rejected with its position, and no job of the batch is stored', async (t) => {
    const b = await bench(t);
    await b.enqueue('taken');
    const error = await rejection('job_exists', () => b.enqueue('new1', 'new2', 'taken', 'new3'));
    assert.deepEqual([error.details.id, error.details.position], ['taken', 3]);
    assert.deepEqual(await b.ids(), ['taken']);
  });

  test('a duplicate ID in a batch is rejected, and no job of the batch is stored', async (t) => {
    const b = await bench(t);
    const error = await rejection('job_exists', () => b.enqueue('a', 'b', 'a'));
    assert.deepEqual([error.details.id, error.details.position], ['a', 3]);
    assert.deepEqual(await b.ids(), []);
  });

  test('a taken ID is named with its position wherever it is among many', async (t) => {
    const b = await bench(t);
    await b.enqueue('taken');
    const many = Array.from({ length: 23 }, (_, i) => `job-${i}`);
    for (const i of many.keys()) {
      const { details } = await rejection('job_exists', () => b.enqueue(...many.with(i, 'taken')));
      assert.deepEqual([details.id, details.position], ['taken', i + 1]);
    }
    const { details } = await rejection('job_exists', () => b.enqueue(...many.with(20, 'job-1')));
    assert.deepEqual([details.id, details.position], ['job-1', 21]);
    assert.deepEqual(await b.ids(), ['taken']);
  });

  test('any number of jobs enqueued together is stored and claimed in order', async (t) => {
    const b = await bench(t);
    const many = Array.from({ length: 47 }, (_, i) => `job-${i}`);
    for (const [from, to] of [
      [0, 1],
      [1, 16],
      [16, 47],
    ])
      await b.enqueue(...many.slice(from, to));
    assert.deepEqual(await b.ids(), many);
    assert.deepEqual(idsOf(await b.claim(47)), many);
  });

  test('a rejected job leaves the existing job with its ID unchanged', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { command: 'echo first' }));
    await rejection('job_exists', () => b.enqueue(newJob('a', { command: 'echo second' })));
    assert.equal((await b.job('a')).command, 'echo first');
  });

  test('the ID of a deleted job may be used again', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed', 'a');
    await b.store.remove(['a']);
    await b.enqueue('a');
    assert.deepEqual((await b.job('a')).attempts, 0);
    assert.deepEqual(await b.store.history('a'), []);
  });
}
