// Where jobs stand that do not run: at a gate, in line, and how many of them there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

const settle = async (b: Bench): Promise<void> => {
  while ((await b.turn({ want: 0 })).more);
};

export function waitingFor(bench: MakeBench): void {
  test('a ready job has a position in line: by priority, then in insertion order', async (t) => {
    const b = await bench(t);
    await b.enqueue(
      newJob('low', { priority: -1 }),
      'first',
      'second',
      newJob('high', { priority: 9 }),
      newJob('later', { runAt: b.now + 1000 }),
      newJob('other', { queue: 'mail' }),
    );
    const place = async (id: string) => (await b.store.waits.ofJob(id))?.line;
    const last = { ready: 4, endedLastMinute: 0 };
    assert.deepEqual(await place('high'), { ahead: 0, ...last });
    assert.deepEqual(await place('first'), { ahead: 1, ...last });
    assert.deepEqual(await place('second'), { ahead: 2, ...last });
    assert.deepEqual(await place('low'), { ahead: 3, ...last });
    assert.equal((await place('other'))?.ahead, 0);
    assert.equal(await place('later'), null);
    assert.equal(await b.store.waits.ofJob('nobody'), null);
  });

  test('jobs of its own queue finished in the last minute are counted', async (t) => {
    const b = await bench(t);
    await b.enqueue('long ago', newJob('mail', { queue: 'mail' }), 'a', newJob('b', { maxRetries: 0 }), 'waits');
    await b.run('long ago', 'completed');
    b.later(61_000);
    await b.run('mail', 'completed');
    await b.run('a', 'completed');
    await b.run('b', 'failed');
    assert.equal((await b.store.waits.ofJob('waits'))?.line?.endedLastMinute, 2);
  });

  test('a limit lists its running jobs, longest first', async (t) => {
    const b = await bench(t);
    const keyed = (id: string) => newJob(id, { key: 'k', keyConcurrency: 2 });
    await b.enqueue(keyed('a'), keyed('b'), keyed('c'), newJob('g1', { group: 'g', groupConcurrency: 1 }));
    await b.enqueue(newJob('g2', { group: 'g' }));
    await b.turn({ want: 1, slots: 1 });
    const since = b.now;
    b.later(1000);
    await b.turn({ want: 10, slots: 10 });
    await settle(b);
    const [c, g2] = [await b.store.waits.ofJob('c'), await b.store.waits.ofJob('g2')];
    const use = { running: 2, strictest: 2, next: 'c' };
    assert.deepEqual(c, {
      gate: { name: 'key:k', ...use, holder: { id: 'a', since } },
      line: null,
      isClaimable: false,
    });
    assert.deepEqual([g2?.gate?.name, g2?.gate?.running, g2?.gate?.holder?.id], ['group:g', 1, 'g1']);
    assert.equal((await b.store.waits.ofJob('a'))?.gate, null, 'it runs');
    const { atGate, groups } = await b.store.waits.counts();
    assert.deepEqual([atGate, groups], [2, 1]);
    assert.equal((await b.store.waits.counts('mail')).atGate, 0);
  });

  test('long waits are reported: held jobs, and results that dependents have not seen', async (t) => {
    const b = await bench(t);
    assert.deepEqual(await b.store.waits.lingering(b.now), { held: 0, untoldSince: null });
    await b.enqueue('parent', 'held');
    await b.enqueue(newJob('child', { dependsOn: [{ kind: 'job', on: 'parent', rule: 'success' }] }));
    await b.store.change(['held'], { kind: 'hold', reason: 'later' });
    const heldAt = b.now;
    b.later(1000);
    await b.run('parent', 'completed');
    assert.deepEqual(await b.store.waits.lingering(heldAt), { held: 0, untoldSince: b.now });
    assert.equal((await b.store.waits.lingering(heldAt + 1)).held, 1);
    assert.deepEqual(await b.store.check(), [], 'it is not lost, only not told yet');
    while ((await b.store.dependencies.advance(100)).more);
    assert.equal((await b.store.waits.lingering(heldAt)).untoldSince, null);
    assert.deepEqual(await b.store.check(), []);
  });

  test('names and keys are found, each once', async (t) => {
    const b = await bench(t);
    assert.deepEqual([await b.store.words.names(5), await b.store.words.keys(5)], [[], []]);
    const named = (id: string, name: string, key: string | null) => newJob(id, { name, key });
    await b.enqueue(named('a', 'build', 'k'), named('b', 'build', 'k'), named('c', 'Test', 'k2'));
    await b.enqueue(named('d', 'deploy', null), 'plain');
    assert.deepEqual(await b.store.words.names(5), ['Test', 'build', 'deploy']);
    assert.deepEqual(await b.store.words.names(2), ['Test', 'build']);
    assert.deepEqual(await b.store.words.keys(5), ['k', 'k2']);
    await b.turn({ want: 1, slots: 5 });
    await settle(b);
    assert.deepEqual(await b.store.words.keys(5), ['k', 'k2'], 'wherever its jobs stand');
    assert.deepEqual(await b.store.words.keys(1), ['k']);
  });

  test('held jobs are counted, in all queues and in one', async (t) => {
    const b = await bench(t);
    const parent = newJob('parent', { maxRetries: 0 });
    const child = (id: string, queue: string) =>
      newJob(id, {
        queue,
        dependsOn: [{ kind: 'job', on: 'parent', rule: 'success' }],
        onDependencyFailure: 'hold',
      });
    await b.enqueue(parent, child('a', 'default'), child('b', 'mail'));
    assert.equal((await b.store.waits.counts()).held, 0);
    await b.run('parent', 'failed');
    while ((await b.store.dependencies.advance(100)).more);
    assert.equal((await b.store.waits.counts()).held, 2);
    assert.equal((await b.store.waits.counts('mail')).held, 1);
    assert.equal((await b.store.waits.counts(undefined, 1)).held, 1, 'counted no further than asked for');
    assert.deepEqual(await b.store.waits.counts('nowhere'), {
      held: 0,
      atGate: 0,
      groups: 0,
      schedules: 0,
      nextTickAt: null,
    });
    assert.equal((await b.job('a')).state, 'pending');
  });
}
