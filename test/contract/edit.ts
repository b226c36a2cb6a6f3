// A person changes jobs that wait: holds, releases, runs now, edits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobState } from '../../src/job/job.ts';
import type { Edit } from '../../src/job/input/edit.ts';
import { USUAL_RULES } from '../../src/job/outcome-rules.ts';
import type { WaitingChange } from '../../src/job/waiting-change.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { type Bench, idsOf, type MakeBench, REACHABLE } from './bench.ts';

const HOLD: WaitingChange = { kind: 'hold', reason: 'until Monday' };
const RELEASE: WaitingChange = { kind: 'release' };
const RUN_NOW: WaitingChange = { kind: 'run-now' };
const edit = (changes: Edit): WaitingChange => ({ kind: 'edit', edit: changes });

const WAITING: readonly JobState[] = ['pending', 'failed'];

/** A job that waits for another. */
async function blocked(b: Bench): Promise<Job> {
  await b.enqueue(newJob('parent', { queue: 'elsewhere' }));
  await b.enqueue(newJob('child', { dependsOn: [{ kind: 'job', on: 'parent', rule: 'success' }] }));
  return b.job('child');
}

async function completeParent(b: Bench): Promise<void> {
  await b.run('parent', 'completed');
  while ((await b.store.dependencies.advance(10)).more);
}

/** Turns until nothing more is claimed; `only` one after another, if they are named. */
async function claimAll(b: Bench, only: readonly (string | undefined)[] = [undefined]): Promise<string[]> {
  const ids: string[] = [];
  for (const id of only)
    for (;;) {
      const { claimed, more } = await b.turn({ want: 5, only: id });
      ids.push(...idsOf(claimed));
      if (claimed.length === 0 && !more) break;
    }
  return ids;
}

/** Ends what runs under this id. */
async function endOf(b: Bench, id: string): Promise<void> {
  const lease = (await b.store.runningOn('w1')).find(({ jobId }) => jobId === id);
  assert.ok(lease, `${id} runs`);
  await b.end(lease, 'completed');
}

export function editing(bench: MakeBench): void {
  for (const state of WAITING) {
    test(`a held ${state} job is not claimed until it is released, however long that takes`, async (t) => {
      const b = await bench(t);
      await b.jobIn(state as 'pending' | 'failed');
      b.later(1);
      const [held] = await b.store.change([state], HOLD);
      assert.deepEqual([held?.state, held?.held, held?.updatedAt], [state, 'until Monday', T0 + 1]);
      assert.deepEqual(held, await b.job(state));
      b.later(3_600_000);
      assert.deepEqual(await b.claim(5), []);
      assert.deepEqual(await b.claim(1, { only: state }), []);
      assert.equal((await b.turn()).nextDueAt, null, 'no worker has to wake up for it');
      const [released] = await b.store.change([state], RELEASE);
      assert.deepEqual([released?.state, released?.held], [state, null]);
      assert.deepEqual(idsOf(await b.claim(5)), [state]);
    });
  }

  test('a released job still waits for its start time', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 5000 }));
    await b.store.change(['a'], HOLD);
    await b.store.change(['a'], RELEASE);
    assert.deepEqual(await b.claim(), []);
    b.later(5000);
    assert.deepEqual(idsOf(await b.claim()), ['a']);
  });

  test('a released job still waits for the time requested by its exit code', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { outcomeRules: { ...USUAL_RULES, snoozeCode: 75 } }));
    const asks = { ...endings.failed, exitCode: 75, retryAfterSeconds: 30 };
    const { seq, run } = await b.take('a');
    await b.turn({ ended: [{ seq, run, ending: asks }] });
    await b.store.change(['a'], HOLD);
    const [job] = await b.store.change(['a'], RELEASE);
    assert.equal(job?.nextRunAt, T0 + 30_000);
    assert.deepEqual(await b.claim(), []);
    b.later(30_000);
    assert.deepEqual(idsOf(await b.claim()), ['a']);
  });

  test('a held job can be held for another reason', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.store.change(['a'], HOLD);
    const [job] = await b.store.change(['a'], { kind: 'hold', reason: 'for ever' });
    assert.equal(job?.held, 'for ever');
  });

  test('a held blocked job is no longer held after its dependency failed', async (t) => {
    const b = await bench(t);
    await blocked(b);
    await b.store.change(['child'], HOLD);
    await b.store.cancel(['parent']);
    while ((await b.store.dependencies.advance(10)).more);
    const { state, held } = await b.job('child');
    assert.deepEqual([state, held], ['cancelled', null]);
  });

  test('a held blocked job stays held when it is unblocked', async (t) => {
    const b = await bench(t);
    await blocked(b);
    await b.store.change(['child'], HOLD);
    await completeParent(b);
    const { state, held } = await b.job('child');
    assert.deepEqual([state, held], ['pending', 'until Monday']);
    assert.deepEqual(await b.claim(), []);
    await b.store.change(['child'], RELEASE);
    assert.deepEqual(idsOf(await b.claim()), ['child']);
  });

  test('a blocked job that is held and released waits for its dependency again', async (t) => {
    const b = await bench(t);
    await blocked(b);
    await b.store.change(['child'], HOLD);
    await b.store.change(['child'], RELEASE);
    assert.deepEqual(await b.claim(5, { queues: ['default'] }), []);
    await completeParent(b);
    assert.deepEqual(idsOf(await b.claim()), ['child']);
  });

  test('releasing a job that is not held is an error', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    await b.store.change(['a'], HOLD);
    const { exitCode } = await rejection('not_held', () => b.store.change(['a', 'b'], RELEASE));
    assert.equal(exitCode, 4);
    assert.equal((await b.job('a')).held, 'until Monday', 'all or none');
  });

  test('a held job that is cancelled or retried is no longer held', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.store.change(['a'], HOLD);
    const [cancelled] = await b.store.cancel(['a']);
    assert.equal(cancelled?.held, null);
    await b.jobIn('failed');
    await b.store.change(['failed'], HOLD);
    const [retried] = await b.store.retry(['failed'], ['failed']);
    assert.equal(retried?.held, null);
    assert.deepEqual(idsOf(await b.claim(5)), ['failed']);
  });

  test('run-now skips the start time and the backoff, releases the job and keeps its attempts', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('later', { runAt: T0 + 60_000 }), 'held');
    await b.store.change(['held'], HOLD);
    const failed = await b.jobIn('failed');
    const jobs = await b.store.change(['later', 'held', 'failed'], RUN_NOW);
    assert.deepEqual(
      jobs.map(({ id, nextRunAt, held }) => [id, nextRunAt, held]),
      [
        ['later', T0, null],
        ['held', T0, null],
        ['failed', T0, null],
      ],
    );
    assert.equal(jobs[2]?.attempts, failed.attempts);
    assert.deepEqual(idsOf(await b.claim(5)).sort(), ['failed', 'held', 'later']);
    assert.equal((await b.job('failed')).attempts, failed.attempts + 1);
  });

  test('an edit changes the given fields and nothing else', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 9000, tags: ['x'], env: { A: '1' } }));
    const before = await b.job('a');
    b.later(5);
    const changes = {
      command: ['echo', 'a b'],
      queue: 'mail',
      priority: 7,
      maxRetries: 9,
      backoffBase: 1.5,
      backoffStrategy: 'fixed',
      timeoutSeconds: 2.5,
      cwd: '/tmp',
      env: { B: '"2"' },
      splitOutput: true,
      name: 'n',
      tags: ['y', 'z'],
    } as const;
    const [job] = await b.store.change(['a'], edit(changes));
    assert.deepEqual(job, { ...before, ...changes, updatedAt: T0 + 5 });
    assert.deepEqual(await b.job('a'), job);
    const back = { ...changes, command: 'true', env: {}, tags: [], name: null, backoffBase: null } as const;
    const [again] = await b.store.change(['a'], edit(back));
    assert.deepEqual(again, { ...before, ...back, updatedAt: T0 + 5 });
  });

  test('an edit of exit codes and hooks changes the given entries in each job', async (t) => {
    const b = await bench(t);
    const outcomeRules = { ...USUAL_RULES, noRetryCodes: [2], snoozeCode: 75 };
    await b.enqueue(newJob('a', { outcomeRules, hooks: { on_success: 'echo fine' } }), 'b');
    const jobs = await b.store.change(
      ['a', 'b'],
      edit({ outcome: { successCodes: [0, 3], snoozeCode: null }, hooks: { on_dead: 'echo dead' } }),
    );
    assert.deepEqual(
      jobs.map((job) => [job.outcomeRules?.successCodes, job.outcomeRules?.noRetryCodes, job.outcomeRules?.snoozeCode]),
      [
        [[0, 3], [2], null],
        [[0, 3], [], null],
      ],
    );
    assert.deepEqual(
      jobs.map(({ hooks }) => hooks),
      [{ on_success: 'echo fine', on_dead: 'echo dead' }, { on_dead: 'echo dead' }],
    );
    const back = edit({ outcome: { successCodes: null, noRetryCodes: null }, hooks: { on_dead: null } });
    const [a, plain] = await b.store.change(['a', 'b'], back);
    assert.deepEqual([a?.outcomeRules, a?.hooks], [null, { on_success: 'echo fine' }]);
    assert.deepEqual([plain?.outcomeRules, plain?.hooks], [null, {}]);
  });

  test('an edited hook runs when the job finishes', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.store.change(['a'], edit({ hooks: { on_success: 'echo fine' } }));
    await b.run('a', 'completed');
    while ((await b.store.dependencies.advance(10)).more);
    const [hook] = await b.claim();
    assert.equal(hook?.job.command, 'echo fine');
  });

  test("an edit that contradicts a job's fields is rejected, names the job and changes none", async (t) => {
    const b = await bench(t);
    const outcomeRules = { ...USUAL_RULES, noRetryCodes: [3], warning: { signal: 'USR1', seconds: 60 } };
    await b.enqueue('fine', newJob('a', { outcomeRules, timeoutSeconds: 100 }));
    const before = await b.job('fine');
    const rejected: readonly (readonly [Edit, RegExp])[] = [
      [{ outcome: { successCodes: [0, 3] } }, /^job 'a': exit code 3 is in success_codes and in no_retry_codes$/],
      [{ timeoutSeconds: 30 }, /^job 'a': 'warn_signal' USR1@60s requires a timeout longer than 30 s/],
    ];
    for (const [changes, problem] of rejected) {
      const { message } = await rejection('invalid_job', () => b.store.change(['fine', 'a'], edit(changes)));
      assert.match(message, problem);
    }
    assert.deepEqual(await b.job('fine'), before);
    await b.store.change(['a'], edit({ timeoutSeconds: 30, outcome: { warnSignal: null } }));
    assert.deepEqual((await b.job('a')).outcomeRules?.warning, null);
  });

  test('a key and a weight can be edited together', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const [job] = await b.store.change(['a'], edit({ key: 'k', weight: 2 }));
    assert.deepEqual([job?.key, job?.weight], ['k', 2]);
  });

  test('an edit of isolation changes the given entries in each job', async (t) => {
    const b = await bench(t);
    const recipe = { name: 'r', params: {} };
    await b.enqueue(
      newJob('a', { confinement: { limits: { memoryBytes: 100, nice: 5 }, sandbox: 'strict', recipe } }),
      newJob('b'),
    );
    await b.store.change(
      ['a', 'b'],
      edit({ confinement: { limits: { nice: null, processes: 9 }, user: 'ann', sandbox: null } }),
    );
    assert.deepEqual((await b.job('a')).confinement, {
      limits: { memoryBytes: 100, processes: 9 },
      user: 'ann',
      recipe,
    });
    assert.deepEqual((await b.job('b')).confinement, { limits: { processes: 9 }, user: 'ann' });
    const nothing = { limits: { processes: null }, user: null };
    await b.store.change(['b'], edit({ confinement: nothing }));
    assert.equal((await b.job('b')).confinement, null);
  });

  test('edited memory is reserved from then on', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    await b.store.change(['a'], edit({ confinement: { limits: { memoryBytes: 500 } } }));
    const memory = { bytes: 1000, freeBytes: 400 };
    assert.deepEqual(idsOf((await b.turn({ want: 2, memory })).claimed), ['b']);
    assert.deepEqual(idsOf((await b.turn({ want: 2, memory: { bytes: 1000, freeBytes: 500 } })).claimed), ['a']);
  });

  test('an edited start time applies from then on, for pending and failed jobs', async (t) => {
    const b = await bench(t);
    await b.jobIn('failed');
    await b.enqueue('pending');
    const jobs = await b.store.change(['failed', 'pending'], edit({ runAt: T0 + 60_000 }));
    assert.deepEqual(
      jobs.map(({ runAt, nextRunAt }) => [runAt, nextRunAt]),
      [
        [T0 + 60_000, T0 + 60_000],
        [T0 + 60_000, T0 + 60_000],
      ],
    );
    assert.deepEqual(await b.claim(5), []);
    assert.equal((await b.turn()).nextDueAt, T0 + 60_000);
    await b.store.change(['pending'], edit({ runAt: null }));
    assert.deepEqual(idsOf(await b.claim(5)), ['pending']);
    b.later(60_000);
    assert.deepEqual(idsOf(await b.claim(5)), ['failed']);
  });

  test('an edit leaves a held job held, and a blocked job blocked until its dependencies finish', async (t) => {
    const b = await bench(t);
    await blocked(b);
    await b.enqueue('a');
    await b.store.change(['a'], HOLD);
    await b.store.change(['a', 'child'], edit({ priority: 5, runAt: T0 + 1000 }));
    assert.deepEqual(await b.claim(5, { queues: ['default'] }), []);
    await completeParent(b);
    assert.equal((await b.job('child')).nextRunAt, T0 + 1000);
    b.later(1000);
    assert.deepEqual(idsOf(await b.claim(5)), ['child']);
  });

  test('a job moved to another queue is counted and claimed there', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    await b.store.change(['a'], edit({ queue: 'mail' }));
    const { queues } = await b.store.overview();
    assert.deepEqual(
      queues.map(({ queue, counts }) => [queue, counts.pending]),
      [
        ['default', 1],
        ['mail', 1],
      ],
    );
    assert.deepEqual(await b.store.check(), []);
    assert.deepEqual(idsOf(await b.claim(5, { queues: ['mail'] })), ['a']);
  });

  test('holding a job of a key lets the next one run, and afterwards both share the key again', async (t) => {
    const b = await bench(t);
    await b.enqueue(...['a', 'b', 'c'].map((id) => newJob(id, { key: 'k' })));
    await b.run('a', 'completed'); // now b was let in, and c stands at the gate
    await b.store.change(['b'], HOLD);
    assert.deepEqual(await claimAll(b), ['c']);
    await b.store.change(['b'], RELEASE);
    assert.deepEqual(await claimAll(b), [], 'c runs');
    await b.store.change(['b'], RUN_NOW);
    assert.deepEqual(await claimAll(b), [], 'c still runs');
    await endOf(b, 'c');
    assert.deepEqual(await claimAll(b), ['b']);
  });

  test('a job with a new key leaves the old limit and joins the new one', async (t) => {
    const b = await bench(t);
    const one = (id: string, key: string | null) => newJob(id, { key });
    await b.enqueue(one('a', 'k'), one('b', 'k'), one('c', 'k'), one('other', 'l'), one('free', null));
    await b.run('a', 'completed');
    assert.deepEqual(await claimAll(b, ['other']), ['other']);
    await b.store.change(['b', 'free'], edit({ key: 'l' }));
    assert.deepEqual(await claimAll(b), ['c'], 'its place is taken by the next, and it waits for the other');
    await endOf(b, 'other');
    assert.deepEqual(await claimAll(b), ['b']);
    await b.store.change(['free'], edit({ key: null }));
    assert.deepEqual(await claimAll(b), ['free']);
    assert.deepEqual(await b.store.check(), []);
  });

  test('new tags replace the old ones', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { tags: ['x', 'y'] }), newJob('b', { tags: ['x'] }));
    await b.store.change(['a'], edit({ tags: ['y', 'z'] }));
    const tagged = async (tag: string): Promise<string[]> =>
      b.store.idsOf({ tag, sort: 'created', descending: false, limit: null });
    assert.deepEqual([await tagged('x'), await tagged('y'), await tagged('z')], [['b'], ['a'], ['a']]);
  });

  const changes: readonly WaitingChange[] = [HOLD, RELEASE, RUN_NOW, edit({ priority: 1 })];
  for (const change of changes) {
    test(`${change.kind} rejects a running or finished job, and then changes none`, async (t) => {
      const b = await bench(t);
      await b.enqueue('fine');
      if (change.kind === 'release') await b.store.change(['fine'], HOLD);
      const fine = await b.job('fine');
      for (const state of REACHABLE.filter((one) => !WAITING.includes(one))) {
        const before = await b.jobIn(state);
        const { message } = await rejection('wrong_state', () => b.store.change(['fine', state], change));
        assert.match(message, new RegExp(`'${state}' is ${state}; ${change.kind} requires a job that is `));
        assert.deepEqual(await b.job(state), before);
      }
      assert.deepEqual(await b.job('fine'), fine);
      await rejection('job_not_found', () => b.store.change(['nowhere'], change));
    });
  }

  test('a blocked job cannot run now', async (t) => {
    const b = await bench(t);
    await blocked(b);
    const { message } = await rejection('wrong_state', () => b.store.change(['child'], RUN_NOW));
    assert.match(message, /'child' is blocked; run-now requires a job that is pending or failed/);
  });
}
