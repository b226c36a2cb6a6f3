// Dead jobs by what they died of: the fingerprint is written when an attempt ends, and counted from there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprintOf } from '../../src/job/fingerprint.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

async function die(b: Bench, id: string, error: string, more: { queue?: string } = {}): Promise<void> {
  await b.enqueue(newJob(id, { maxRetries: 0, ...more }));
  b.later(1000);
  await b.end(await b.take(id), 'failed', { error });
}

const kindOf = (error: string): string | null => fingerprintOf(endings.failed, error);

export function groupingErrors(bench: MakeBench): void {
  test("a failed attempt sets its job's fingerprint, and a completed one clears it", async (t) => {
    const b = await bench(t);
    await b.jobIn('failed');
    const { lastError, fingerprint } = await b.job('failed');
    assert.equal(fingerprint, kindOf(String(lastError)));
    await b.store.retry(['failed'], ['failed']);
    assert.equal((await b.job('failed')).fingerprint, fingerprint, 'until it has run again');
    await b.run('failed', 'completed');
    assert.equal((await b.job('failed')).fingerprint, null);
  });

  test('a job that lost too many workers has a fingerprint', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    for (let i = 0; i < 3; i++) await b.run('a', 'worker_lost');
    const { lastError, fingerprint } = await b.job('a');
    assert.equal(fingerprint, fingerprintOf(endings.worker_lost, lastError));
  });

  test('dead jobs are counted by fingerprint, the most frequent first, with the newest as example', async (t) => {
    const b = await bench(t);
    await die(b, 'p1', 'no paper');
    await die(b, 'd1', 'disk /dev/sda1 is full');
    await die(b, 'd2', 'disk /dev/sdb7 is full', { queue: 'mail' });
    await b.jobIn('failed');
    assert.deepEqual(await b.store.errorGroups({}, 10), [
      {
        fingerprint: kindOf('disk /dev/sda1 is full'),
        jobs: 2,
        oldestAt: T0 + 2000,
        newestAt: T0 + 3000,
        exampleId: 'd2',
        exampleError: 'disk /dev/sdb7 is full',
      },
      {
        fingerprint: kindOf('no paper'),
        jobs: 1,
        oldestAt: T0 + 1000,
        newestAt: T0 + 1000,
        exampleId: 'p1',
        exampleError: 'no paper',
      },
    ]);
  });

  test('dead jobs are counted by time of death in equal steps', async (t) => {
    const b = await bench(t);
    await die(b, 'before', 'no paper');
    const from = b.now + 1000;
    for (const id of ['p1', 'p2']) await die(b, id, 'no paper');
    b.later(5000);
    await die(b, 'p3', 'no paper', { queue: 'mail' });
    const fingerprint = kindOf('no paper');
    const steps = await b.store.errorTrend({}, from, 2000);
    assert.deepEqual(
      steps.sort((x, y) => x.step - y.step),
      [
        { fingerprint, step: 0, jobs: 2 },
        { fingerprint, step: 3, jobs: 1 },
      ],
    );
    assert.deepEqual(await b.store.errorTrend({ queue: 'mail' }, from, 10_000), [{ fingerprint, step: 0, jobs: 1 }]);
  });

  test('error groups can be filtered and limited', async (t) => {
    const b = await bench(t);
    await die(b, 'a', 'no paper');
    await die(b, 'b', 'no ink', { queue: 'mail' });
    const ids = async (filter: object, limit = 10): Promise<string[]> =>
      (await b.store.errorGroups(filter, limit)).map(({ exampleId }) => exampleId);
    assert.deepEqual(await ids({ queue: 'mail' }), ['b']);
    assert.deepEqual(await ids({ error: 'PAPER' }), ['a']);
    assert.deepEqual(await ids({}, 1), ['b']);
    assert.deepEqual(await ids({ states: ['pending'] }), []);
  });

  test('jobs that died before fingerprints existed form their own group', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await die(from, 'a', 'no paper');
    const [copied] = await from.store.copyOut(0, 1);
    if (!copied) throw new Error('there was a job');
    await to.store.copyIn([{ ...copied, job: { ...copied.job, fingerprint: null } }]);
    const [group] = await to.store.errorGroups({}, 10);
    assert.deepEqual([group?.fingerprint, group?.jobs, group?.exampleId], [null, 1, 'a']);
  });

  test('jobs are found and retried by fingerprint', async (t) => {
    const b = await bench(t);
    await die(b, 'a', 'no paper');
    await die(b, 'b', 'no ink');
    const fingerprint = String(kindOf('no ink'));
    const found = await b.store.idsOf({ fingerprint, sort: 'created', descending: false, limit: null });
    assert.deepEqual(found, ['b']);
    assert.equal(await b.retryAll({ fingerprint }), 1);
    assert.equal((await b.job('a')).state, 'dead');
  });
}
