// Workers: known while they are, told when to stop, and replaced when they are lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { identity, idsOf, leaseOf, type MakeBench, policy } from './bench.ts';
import { plainWorker, rescue, sign } from '../support/workers.ts';

export function workers(bench: MakeBench): void {
  test('a registered worker is stored with all its fields', async (t) => {
    const b = await bench(t);
    b.later(1000);
    await b.worker('w2', {
      queues: ['mail', 'print'],
      concurrency: 4,
      pidStartedAt: null,
      memoryBudget: 2 ** 33,
      version: '1.2.3+1a2b3c4',
    });
    assert.deepEqual(await b.store.workers(), [
      { ...identity('w1'), ...plainWorker, startedAt: T0, ...fresh(T0) },
      { ...identity('w2'), ...plainWorker, pidStartedAt: null, queues: ['mail', 'print'], concurrency: 4, memoryBudget: 2 ** 33, version: '1.2.3+1a2b3c4', startedAt: T0 + 1000, ...fresh(T0 + 1000) },
    ]); // biome-ignore format: a table
  });

  test('a worker is shown with its jobs', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    const [a] = await b.claim(2);
    assert.deepEqual((await b.store.workers())[0]?.running, ['a', 'b']);
    if (a) await b.end(a, 'completed');
    assert.deepEqual((await b.store.workers())[0]?.running, ['b']);
  });

  test('a heartbeat is recorded with its problem, and returns the held leases', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    const claimed = await b.claim(2);
    b.later(5000);
    const leases = await b.store.renew('w1', sign('the disk is full'));
    assert.deepEqual(leases?.map(leaseOf), claimed.map(leaseOf));
    const [worker] = await b.store.workers();
    assert.deepEqual([worker?.lastHeartbeat, worker?.notice], [T0 + 5000, 'the disk is full']);
    await b.store.renew('w1', sign());
    assert.equal((await b.store.workers())[0]?.notice, null);
  });

  test('a worker that was declared lost learns it at its next heartbeat', async (t) => {
    const b = await bench(t);
    await rescue(b.store, 'w1', policy);
    assert.equal(await b.store.renew('w1', sign()), null);
    assert.equal(await b.store.renew('never known', sign()), null);
  });

  test('a stop request reaches its workers', async (t) => {
    const b = await bench(t);
    for (const id of ['w2', 'w3']) await b.worker(id);
    await b.store.requestStop(['w1', 'w3'], 'graceful');
    await b.store.requestStop(['w3'], 'force');
    const modes = (await b.store.workers()).map(({ stopRequested }) => stopRequested);
    assert.deepEqual(modes, ['graceful', null, 'force']);
    assert.equal((await b.turn({}, 'w3')).stopRequested, 'force');
    assert.equal((await b.turn({}, 'w2')).stopRequested, null);
  });

  test('a stop request for an unknown worker is not an error', async (t) => {
    const b = await bench(t);
    await b.store.requestStop(['unknown'], 'force');
    assert.equal((await b.store.workers())[0]?.stopRequested, null);
  });

  test("a worker's jobs are listed attempt by attempt", async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a', 'b', 'c');
    await b.run('a', 'released');
    const a = await b.take('a');
    await b.take('b', 'w2');
    const running = await b.store.runningOn('w1');
    assert.equal(running.length, 1);
    assert.deepEqual(
      [running[0]?.jobId, running[0]?.seq, running[0]?.run, running[0]?.workerId, running[0]?.logPath],
      ['a', a.seq, 2, 'w1', 'logs/a.2'],
    );
    assert.deepEqual(await b.store.runningOn('unknown'), []);
  });

  test('the jobs of a lost worker are requeued, and the worker is deleted', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a', 'b', 'c');
    await b.claim(2);
    await b.claim(1, {}, 'w2');
    b.later(700);
    assert.deepEqual(await rescue(b.store, 'w1', policy), [
      { jobId: 'a', run: 1, logPath: 'logs/a.1', state: 'pending' },
      { jobId: 'b', run: 1, logPath: 'logs/b.1', state: 'pending' },
    ]);
    assert.deepEqual(
      (await b.store.workers()).map(({ id }) => id),
      ['w2'],
    );
    const { state, attempts, interruptions, lockedBy, lastError } = await b.job('a');
    assert.deepEqual(
      [state, attempts, interruptions, lockedBy, lastError],
      ['pending', 0, 1, null, 'the worker was lost'],
    );
    const [attempt] = await b.store.history('a');
    assert.deepEqual([attempt?.outcome, attempt?.endedAt], ['worker_lost', T0 + 700]);
    assert.equal((await b.job('c')).lockedBy, 'w2');
  });

  test('a requeued job can be claimed immediately at its old position', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a', 'b');
    await b.take('a');
    await rescue(b.store, 'w1', policy);
    assert.deepEqual(idsOf(await b.claim(2, {}, 'w2')), ['a', 'b']);
  });

  test('a worker is rescued once, and a second rescuer learns that', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    await b.enqueue('a');
    await b.take('a');
    const both = await Promise.all([rescue(b.store, 'w1', policy), rescue(other, 'w1', policy)]);
    assert.equal(both.filter((rescued) => rescued === null).length, 1);
    assert.equal(await rescue(b.store, 'w1', policy), null);
    assert.equal((await b.job('a')).interruptions, 1);
  });

  test('a worker with a heartbeat since it was last seen is not rescued', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.take('a');
    const [seen] = await b.store.workers();
    b.later(500);
    await b.store.renew('w1', sign());
    assert.equal(await b.store.condemn('w1', seen?.lastHeartbeat), null);
    assert.equal(await b.store.rescue('w1', policy), null, 'nobody is taken back from who is not condemned');
    assert.equal((await b.job('a')).state, 'processing');
    assert.equal((await b.store.condemn('w1', T0 + 500))?.length, 1);
    assert.equal((await b.store.rescue('w1', policy))?.length, 1);
  });

  test('a worker declared lost can neither renew, report, nor claim', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c');
    const held = await b.claim(2);
    assert.deepEqual((await b.store.condemn('w1'))?.map(leaseOf), held.map(leaseOf));
    assert.equal(await b.store.renew('w1', sign()), null);
    const ended = held.slice(0, 1).map((lease) => ({ ...leaseOf(lease), ending: endings.completed }));
    const started = held.map((lease) => ({ ...leaseOf(lease), pid: 4321, pidStartedAt: '1' }));
    const { known, settled, claimed } = await b.turn({ started, ended, want: 5 });
    assert.deepEqual([known, settled.map(({ state }) => state), claimed], [false, [null], []]);
    assert.equal((await b.store.history('b'))[0]?.pid, null);
    assert.equal((await b.turn({ want: 5 })).known, false);
    assert.deepEqual([(await b.job('a')).state, (await b.job('c')).state], ['processing', 'pending']);
  });

  test('a rescue that has started can be finished by any worker, whatever the heartbeat', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.take('a');
    await b.store.condemn('w1', T0);
    const other = await b.open();
    assert.equal((await other.condemn('w1', T0 + 1))?.length, 1);
    assert.equal((await other.rescue('w1', policy))?.length, 1);
    assert.equal(await b.store.rescue('w1', policy), null);
  });

  test("a worker's lease is stored in its row and may change", async (t) => {
    const b = await bench(t);
    await b.store.renew('w1', { notice: null, leaseMs: 1500 });
    assert.equal((await b.store.workers())[0]?.leaseMs, 1500);
  });

  test('a worker without jobs is rescued too', async (t) => {
    const b = await bench(t);
    assert.deepEqual(await rescue(b.store, 'w1', policy), []);
    assert.deepEqual(await b.store.workers(), []);
  });

  test('a rescue reports the result of each job', async (t) => {
    const b = await bench(t);
    await b.enqueue('cancel me', newJob('poison'));
    for (let i = 0; i < 2; i++) await b.run('poison', 'worker_lost');
    await b.claim(2);
    await b.store.cancel(['cancel me']);
    const rescued = await rescue(b.store, 'w1', policy);
    assert.deepEqual(
      rescued?.map(({ jobId, state }) => [jobId, state]),
      [
        ['cancel me', 'cancelled'],
        ['poison', 'dead'],
      ],
    );
  });

  test('a worker that leaves is deleted', async (t) => {
    const b = await bench(t);
    assert.deepEqual(await rescue(b.store, 'w1', policy), []);
    assert.deepEqual(await b.store.workers(), []);
    assert.equal((await b.turn()).known, false);
    assert.equal(await rescue(b.store, 'w1', policy), null);
  });

  test('a worker may return under its name', async (t) => {
    const b = await bench(t);
    await b.store.requestStop(['w1'], 'graceful');
    await rescue(b.store, 'w1', policy);
    await b.worker('w1');
    const { known, stopRequested } = await b.turn();
    assert.deepEqual([known, stopRequested], [true, null]);
  });

  const fresh = (at: number) => ({
    lastHeartbeat: at,
    stopRequested: null,
    running: [],
    notice: null,
    condemnedAt: null,
  });
}
