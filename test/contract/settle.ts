// The end of an attempt: written whole by the one who holds its lease, and by nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_OUTPUT } from '../../src/job/output/output.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { type MakeBench, policy } from './bench.ts';
import { rescue } from '../support/workers.ts';

export function settling(bench: MakeBench): void {
  test('a completed job is final and has its outcome', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const claimed = await b.take('a');
    b.later(1500);
    const settled = await b.end(claimed, 'completed', { durationMs: 1400 });
    assert.deepEqual(settled, { seq: claimed.seq, run: 1, state: 'completed' });
    const job = await b.job('a');
    assert.deepEqual(
      [job.state, job.attempts, job.exitCode, job.signal, job.lastError, job.durationMs],
      ['completed', 1, 0, null, null, 1400],
    );
    assert.deepEqual(
      [job.startedAt, job.finishedAt, job.updatedAt, job.nextRunAt, job.lockedBy, job.lockedAt],
      [T0, T0 + 1500, T0 + 1500, null, null, null],
    );
  });

  test('a failed job waits for its next attempt and has its reason', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const job = await b.run('a', 'failed');
    assert.deepEqual(
      [job.state, job.attempts, job.exitCode, job.lastError, job.nextRunAt, job.finishedAt, job.lockedBy],
      ['failed', 1, 7, 'exit code 7', T0 + 2000, null, null],
    );
  });

  test('a job that keeps failing is dead after max_retries + 1 attempts', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { maxRetries: 2 }));
    const waits: (number | null)[] = [];
    for (let i = 0; i < 3; i++) {
      const { nextRunAt } = await b.run('a', 'failed');
      waits.push(nextRunAt === null ? null : nextRunAt - b.now);
      b.now = nextRunAt ?? b.now;
    }
    const { state, attempts, finishedAt, nextRunAt } = await b.job('a');
    assert.deepEqual(waits, [2000, 4000, null]);
    assert.deepEqual([state, attempts, finishedAt, nextRunAt], ['dead', 3, b.now, null]);
  });

  test('a signal is stored', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const { exitCode, signal, lastError } = await b.run('a', 'signalled');
    assert.deepEqual([exitCode, signal, lastError], [null, 'SIGSEGV', 'killed by SIGSEGV']);
  });

  test('the backoff follows the policy of the turn, unless the job has its own', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('own', { backoffBase: 7, backoffStrategy: 'fixed' }));
    const [a, own] = [await b.take('a'), await b.take('own')];
    const ended = [a, own].map(({ seq, run }) => ({ seq, run, ending: endings.failed }));
    await b.turn({ ended, policy: { ...policy, strategy: 'fixed', base: 100, maxSeconds: 60 } });
    assert.equal((await b.job('a')).nextRunAt, T0 + 60_000);
    assert.equal((await b.job('own')).nextRunAt, T0 + 7000);
  });

  test('a retry without a backoff can be claimed immediately', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { backoffBase: 0, backoffStrategy: 'fixed' }));
    await b.run('a', 'failed');
    assert.equal((await b.take('a')).run, 2);
  });

  test('several attempts finish in one turn, each with its own outcome', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('b', { maxRetries: 0 }), 'c', 'd');
    const claimed = await b.claim(4);
    const outcomes = [endings.completed, endings.failed, endings.released, endings.timeout];
    const { settled } = await b.turn({
      ended: claimed.map(({ seq, run }, i) => ({ seq, run, ending: outcomes[i] ?? endings.failed })),
    });
    assert.deepEqual(
      settled.map(({ state }) => state),
      ['completed', 'dead', 'pending', 'failed'],
    );
  });

  test('a requeued job counts no attempt and can be claimed immediately', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const { state, attempts, interruptions } = await b.run('a', 'released');
    assert.deepEqual([state, attempts, interruptions], ['pending', 0, 0]);
    assert.equal((await b.take('a')).run, 2);
  });

  test('the resources of an attempt are stored with it and as the latest of its job', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const { seq, run } = await b.take('a');
    const usage = { peakMemoryBytes: 5 * 2 ** 31, cpuUserMs: 12, cpuSystemMs: null };
    await b.turn({ ended: [{ seq, run, ending: endings.failed, usage }] });
    assert.deepEqual((await b.store.history('a'))[0]?.usage, usage);
    assert.deepEqual((await b.job('a')).usage, usage);
    b.later(2000);
    await b.run('a', 'completed');
    assert.equal((await b.job('a')).usage, null, 'nothing is known of the last one');
  });

  test('the history has every attempt, including the running one', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.run('a', 'failed');
    b.later(2000);
    await b.run('a', 'released');
    await b.take('a');
    const history = await b.store.history('a');
    const who = {
      workerId: 'w1',
      host: 'here',
      bootId: 'boot',
      pid: null,
      pidStartedAt: null,
      signal: null,
      usage: null,
    };
    assert.deepEqual(history, [
      { ...who, run: 1, number: 1, startedAt: T0, endedAt: T0, outcome: 'failed', exitCode: 7, error: 'exit code 7', logPath: 'logs/a.1', output: NO_OUTPUT },
      { ...who, run: 2, number: 2, startedAt: T0 + 2000, endedAt: T0 + 2000, outcome: 'released', exitCode: null,
        signal: 'SIGTERM', error: 'worker stopped', logPath: 'logs/a.2', output: NO_OUTPUT },
      { ...who, run: 3, number: 2, startedAt: T0 + 2000, endedAt: null, outcome: null, exitCode: null, error: null, logPath: 'logs/a.3', output: NO_OUTPUT },
    ]); // biome-ignore format: a table
  });

  test('a job that never ran has no history, nor has an unknown job', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    assert.deepEqual(await b.store.history('a'), []);
    assert.deepEqual(await b.store.history('unknown'), []);
  });

  test('the process of an attempt is recorded when its worker reports it', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const { seq, run } = await b.take('a');
    await b.turn({ started: [{ seq, run, pid: 1234, pidStartedAt: '5678' }] });
    const [attempt] = await b.store.history('a');
    assert.deepEqual([attempt?.pid, attempt?.pidStartedAt], [1234, '5678']);
    const [running] = await b.store.runningOn('w1');
    assert.deepEqual([running?.jobId, running?.pid], ['a', 1234]);
  });

  test('start and finish of an attempt may be reported in one turn', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const { seq, run } = await b.take('a');
    const ended = [{ seq, run, ending: endings.completed }];
    await b.turn({ started: [{ seq, run, pid: 1234, pidStartedAt: null }], ended });
    const [attempt] = await b.store.history('a');
    assert.deepEqual([attempt?.pid, attempt?.outcome], [1234, 'completed']);
  });

  test('the process may be reported only at the finish, and a recorded one stays', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c');
    const [a, second, third] = await b.claim(3);
    assert.ok(a && second && third);
    await b.turn({ started: [{ seq: second.seq, run: 1, pid: 22, pidStartedAt: '5' }] });
    const ended = (seq: number, pid?: number) => ({ seq, run: 1, ending: endings.completed, pid });
    await b.turn({ ended: [ended(a.seq, 11), ended(second.seq, 33), ended(third.seq)] });
    const pids = await Promise.all(['a', 'b', 'c'].map(async (id) => (await b.store.history(id))[0]?.pid));
    assert.deepEqual(pids, [11, 22, null]);
  });

  test('a finish reported twice is written once', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const claimed = await b.take('a');
    await b.end(claimed, 'failed');
    const before = await b.job('a');
    b.later(100);
    assert.equal((await b.end(claimed, 'completed'))?.state, null);
    assert.deepEqual(await b.job('a'), before);
  });

  test('a worker whose job was given to another cannot finish it', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a');
    const lost = await b.take('a');
    await rescue(b.store, 'w1', policy);
    await b.take('a', 'w2');
    const before = [await b.job('a'), await b.store.history('a')];
    b.later(100);
    assert.equal((await b.end(lost, 'completed'))?.state, null);
    assert.deepEqual([await b.job('a'), await b.store.history('a')], before);
  });

  test('a worker cannot finish a requeued job that waits', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const lost = await b.take('a');
    await rescue(b.store, 'w1', policy);
    assert.equal((await b.end(lost, 'completed'))?.state, null);
    assert.equal((await b.job('a')).state, 'pending');
  });

  test('a worker cannot finish a deleted job', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const lost = await b.take('a');
    await b.store.reset();
    assert.equal((await b.end(lost, 'completed'))?.state, null);
    assert.deepEqual(await b.ids(), []);
  });

  test('one lost lease does not stop other jobs from finishing', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    const [a, second] = await b.claim(2);
    assert.ok(a && second);
    await b.end(a, 'completed');
    const { settled } = await b.turn({
      ended: [a, second].map(({ seq, run }) => ({ seq, run, ending: endings.completed })),
    });
    assert.deepEqual(
      settled.map(({ state }) => state),
      [null, 'completed'],
    );
  });

  test('three lost workers in a row make a job dead with that reason', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    for (const worker of ['w2', 'w3', 'w4']) {
      await b.worker(worker);
      await b.take('a', worker);
      await rescue(b.store, worker, policy);
    }
    const { state, attempts, interruptions, lastError } = await b.job('a');
    assert.deepEqual([state, attempts, interruptions], ['dead', 0, 3]);
    assert.match(lastError ?? '', /3 workers were lost in a row/);
  });
}
