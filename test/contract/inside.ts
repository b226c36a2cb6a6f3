// What a running job says of itself: kept for the one who holds its lease, and gone when it starts anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ending, Job } from '../../src/job/job.ts';
import { MAX_SNOOZES } from '../../src/job/lifecycle.ts';
import { type OutcomeRules, USUAL_RULES } from '../../src/job/outcome-rules.ts';
import type { Lease } from '../../src/store/store.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

const saidOf = ({ progress, progressNote, result }: Job): unknown[] => [progress, progressNote, result];
const leaseOf = ({ seq, run }: Lease): Lease => ({ seq, run });
const exit = (exitCode: number, more: Partial<Ending> = {}): Ending => ({
  ...endings.failed,
  exitCode,
  error: `exit code ${exitCode}`,
  ...more,
});

/** A job with these rules, run once and ended so. */
async function ended(b: Bench, rules: Partial<OutcomeRules>, ending: Ending): Promise<Job> {
  await b.enqueue(newJob('a', { outcomeRules: { ...USUAL_RULES, ...rules } }));
  const claimed = await b.take('a');
  await b.turn({ ended: [{ ...leaseOf(claimed), ending }] });
  return b.job('a');
}

/** All jobs, as if each had asked so often already: a thousand attempts would take a minute. */
async function asIfSnoozed({ store }: Bench, snoozes: number): Promise<void> {
  const jobs = await store.copyOut(0, 10);
  await store.remove(jobs.map(({ job }) => String(job.id)));
  await store.copyIn(jobs.map((copied) => ({ ...copied, job: { ...copied.job, snoozes } })));
}

export function sayings(bench: MakeBench): void {
  test('progress of several jobs is stored while they run, the latest of each', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c');
    const [first, second] = [await b.take('a'), await b.take('b')];
    await b.turn({
      progress: [
        { ...leaseOf(first), percent: 40, note: 'resizing' },
        { ...leaseOf(second), percent: 7, note: null },
      ],
    });
    await b.turn({ progress: [{ ...leaseOf(first), percent: 41, note: null }] });
    assert.deepEqual(saidOf(await b.job('a')), [41, null, null]);
    assert.deepEqual(saidOf(await b.job('b')), [7, null, null]);
    assert.deepEqual(saidOf(await b.job('c')), [null, null, null]);
    assert.equal((await b.job('a')).state, 'processing');
  });

  test('progress and a result are stored with any outcome', async (t) => {
    const b = await bench(t);
    for (const outcome of ['completed', 'failed'] as const) {
      await b.enqueue(outcome);
      const claimed = await b.take(outcome);
      const progress = { percent: 90, note: 'nearly' };
      const result = '{"rows": 12345678901234567890, "of": "\\u0000 🦊"}';
      await b.turn({ ended: [{ ...leaseOf(claimed), ending: endings[outcome], progress, result }] });
      assert.deepEqual(saidOf(await b.job(outcome)), [90, 'nearly', result]);
    }
  });

  test('an outcome without new values keeps the stored ones', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const claimed = await b.take('a');
    await b.turn({ progress: [{ ...leaseOf(claimed), percent: 50, note: 'half' }] });
    await b.end(claimed, 'completed');
    assert.deepEqual(saidOf(await b.job('a')), [50, 'half', null]);
  });

  test('a lost lease stores nothing', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const lost = await b.take('a');
    await b.end(lost, 'released');
    const progress = [{ ...leaseOf(lost), percent: 40, note: null }];
    await b.turn({ progress });
    assert.deepEqual(saidOf(await b.job('a')), [null, null, null]);
    await b.take('a');
    const { settled } = await b.turn({
      progress,
      ended: [{ ...leaseOf(lost), ending: endings.completed, progress: { percent: 1, note: null }, result: '1' }],
    });
    assert.equal(settled[0]?.state, null);
    assert.deepEqual(saidOf(await b.job('a')), [null, null, null]);
  });

  test('a new attempt starts without the values of the last one', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { backoffBase: 0, backoffStrategy: 'fixed' }));
    const claimed = await b.take('a');
    const progress = { percent: 90, note: 'nearly' };
    await b.turn({ ended: [{ ...leaseOf(claimed), ending: endings.failed, progress, result: '1' }] });
    await b.take('a');
    assert.deepEqual(saidOf(await b.job('a')), [null, null, null]);
  });

  test('a success code completes a job and its attempt', async (t) => {
    const b = await bench(t);
    const { state, exitCode, lastError } = await ended(b, { successCodes: [0, 3] }, exit(3));
    const [attempt] = await b.store.history('a');
    assert.deepEqual([state, exitCode, lastError], ['completed', 3, null]);
    assert.deepEqual([attempt?.outcome, attempt?.exitCode, attempt?.error], ['completed', 3, null]);
  });

  test('an exit code without retry makes a job dead', async (t) => {
    const b = await bench(t);
    const { state, attempts, lastError } = await ended(b, { noRetryCodes: [2] }, exit(2));
    assert.deepEqual([state, attempts, lastError], ['dead', 1, 'exit code 2']);
  });

  test('a job that asks to run again waits and runs again without using an attempt', async (t) => {
    const b = await bench(t);
    const asks = exit(75, { retryAfterSeconds: 30 });
    const job = await ended(b, { snoozeCode: 75 }, asks);
    assert.deepEqual([job.state, job.attempts, job.snoozes], ['pending', 0, 1]);
    assert.deepEqual([job.nextRunAt, job.lastError], [T0 + 30_000, null]);
    const [attempt] = await b.store.history('a');
    assert.deepEqual([attempt?.outcome, attempt?.error], ['snoozed', 'snoozed for 30 s']);
    b.later(29_999);
    assert.deepEqual(await b.claim(), []);
    b.later(1);
    const claimed = await b.take('a');
    assert.deepEqual([claimed.run, claimed.job.attempts], [2, 1]);
  });

  test('asking to run again too often is a failure, and a manual retry resets the count', async (t) => {
    const b = await bench(t);
    const outcomeRules = { ...USUAL_RULES, snoozeCode: 75 };
    await b.enqueue(newJob('a', { outcomeRules, maxRetries: 0 }));
    await asIfSnoozed(b, MAX_SNOOZES - 2);
    const ask = async (): Promise<unknown> =>
      b.turn({
        ended: [{ ...leaseOf(await b.take('a')), ending: exit(75, { retryAfterSeconds: 0 }) }],
      });
    for (const times of [MAX_SNOOZES - 1, MAX_SNOOZES]) {
      await ask();
      assert.deepEqual([(await b.job('a')).state, (await b.job('a')).snoozes], ['pending', times]);
    }
    await ask();
    const { state, lastError } = await b.job('a');
    assert.deepEqual([state, lastError], ['dead', 'snoozed more than 1000 times']);
    await b.store.retry(['a'], ['dead']);
    assert.equal((await b.job('a')).snoozes, 0);
  });

  test('a notice is stored with the attempt and is not an error of the job', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.end(await b.take('a'), 'completed', { remark: 'its result was not kept' });
    const [attempt] = await b.store.history('a');
    assert.equal(attempt?.error, 'exit code 0; its result was not kept');
    assert.equal((await b.job('a')).lastError, null);
  });

  test('a claim includes the exit code rules', async (t) => {
    const b = await bench(t);
    const outcomeRules = { ...USUAL_RULES, warning: { signal: 'USR1', seconds: 60 } };
    await b.enqueue(newJob('a', { outcomeRules }), 'b');
    assert.deepEqual((await b.take('a')).job.outcomeRules, outcomeRules);
    assert.equal((await b.take('b')).job.outcomeRules, null);
  });
}
