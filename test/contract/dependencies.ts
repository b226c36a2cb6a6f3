// Jobs that wait for others: every way a parent can end decides its children, once and for all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dependency, DependencyRule } from '../../src/job/flow/dependencies.ts';
import type { NewJob } from '../../src/job/job.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { rescue } from '../support/workers.ts';
import { type Bench, idsOf, type MakeBench, policy } from './bench.ts';

const on = (parent: string, rule: DependencyRule = 'success'): Dependency =>
  parent.startsWith('group:')
    ? { kind: 'group', on: parent.slice('group:'.length), rule }
    : { kind: 'job', on: parent, rule };

const after = (id: string, parents: readonly Dependency[], more: Partial<NewJob> = {}): NewJob =>
  newJob(id, { dependsOn: parents, ...more });

async function advance(b: Bench): Promise<void> {
  while ((await b.store.dependencies.advance(100)).more);
}

/** Its state after everything that ended was told. */
async function stateOf(b: Bench, id: string): Promise<string> {
  await advance(b);
  return (await b.job(id)).state;
}

export function depending(bench: MakeBench): void {
  test('a job waits for its dependency and runs when that has completed', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', after('b', [on('a')]));
    assert.equal((await b.job('b')).state, 'blocked');
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
    const { hasEndings } = await b.turn({
      ended: [
        {
          seq: 1,
          run: 1,
          ending: { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 1 },
        },
      ],
    });
    assert.equal(hasEndings, true);
    assert.equal(await stateOf(b, 'b'), 'pending');
    assert.equal((await b.turn()).hasEndings, false);
    assert.deepEqual(idsOf(await b.claim(5)), ['b']);
  });

  test('a job added later learns how its parent finished', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed', 'good');
    await b.jobIn('dead', 'bad');
    const [glad, sad] = await b.store.enqueue([after('glad', [on('good')]), after('sad', [on('bad')])]);
    assert.deepEqual([glad?.state, sad?.state], ['pending', 'cancelled']);
    assert.equal(sad?.lastError, 'dependency failed: job bad is dead');
  });

  const ways: Record<string, (b: Bench) => Promise<unknown>> = {
    dead: async (b) => b.run('a', 'failed'),
    cancelled: (b) => b.store.cancel(['a']),
    deleted: (b) => b.store.remove(['a']),
    'dead with its workers': async (b) => {
      for (const worker of ['w2', 'w3', 'w4']) {
        await b.worker(worker);
        await b.take('a', worker);
        await rescue(b.store, worker, policy);
      }
    },
  };
  for (const [way, end] of Object.entries(ways)) {
    test(`a parent that is ${way} cancels its child, and the child its own child`, async (t) => {
      const b = await bench(t);
      await b.enqueue(newJob('a', { maxRetries: 0 }), after('b', [on('a')]), after('c', [on('b')]));
      await end(b);
      assert.equal(await stateOf(b, 'b'), 'cancelled');
      assert.match((await b.job('b')).lastError ?? '', /^dependency failed: job a (is dead|was)/);
      assert.equal((await b.job('c')).state, 'cancelled');
      assert.equal((await b.job('c')).lastError, 'dependency failed: job b was cancelled');
      assert.equal((await b.job('c')).finishedAt, b.now);
    });
  }

  test('a child that runs after any result runs after each of them', async (t) => {
    for (const end of Object.values(ways)) {
      const b = await bench(t);
      await b.enqueue(newJob('a', { maxRetries: 0 }), after('b', [on('a', 'end')]));
      await end(b);
      assert.equal(await stateOf(b, 'b'), 'pending');
    }
  });

  test('a dependency on any result waits for all parents', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', after('c', [on('a', 'end'), on('b', 'end')]));
    await b.store.cancel(['a']);
    assert.equal(await stateOf(b, 'c'), 'blocked');
    await b.run('b', 'completed');
    assert.equal(await stateOf(b, 'c'), 'pending');
  });

  test('a child that depends on a failure runs at the first one, and is cancelled if there was none', async (t) => {
    const b = await bench(t);
    const parents = [on('a', 'failure'), on('b', 'failure')];
    await b.enqueue(newJob('a', { maxRetries: 0 }), 'b', after('c', parents), after('d', [on('b', 'failure')]));
    await b.run('a', 'failed');
    assert.equal(await stateOf(b, 'c'), 'pending');
    await b.run('b', 'completed');
    assert.equal(await stateOf(b, 'd'), 'cancelled');
    assert.equal((await b.job('d')).lastError, 'job b was expected to fail but completed');
  });

  test('a child chooses what happens if its parent failed', async (t) => {
    const b = await bench(t);
    await b.enqueue(
      newJob('a', { maxRetries: 0 }),
      after('run', [on('a')], { onDependencyFailure: 'run' }),
      after('hold', [on('a')], { onDependencyFailure: 'hold' }),
    );
    await b.run('a', 'failed');
    assert.equal(await stateOf(b, 'run'), 'pending');
    const held = await b.job('hold');
    assert.deepEqual([held.state, held.held], ['pending', 'dependency failed: job a is dead']);
    assert.deepEqual(idsOf(await b.claim(5)), ['run']);
  });

  test('a parent that will be retried has not finished', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', after('b', [on('a')]));
    await b.run('a', 'failed');
    assert.equal(await stateOf(b, 'b'), 'blocked');
    b.later(2000);
    await b.run('a', 'completed');
    assert.equal(await stateOf(b, 'b'), 'pending');
  });

  test('the result stays if the parent is pruned before the child was updated', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'other', after('b', [on('a'), on('other')]));
    await b.run('a', 'completed');
    await b.store.prune({ states: ['completed'], keep: 0 }, 10);
    assert.equal(await b.store.get('a'), null);
    assert.equal(await stateOf(b, 'b'), 'blocked');
    assert.deepEqual(
      (await b.store.dependencies.ofJob('b')).map(({ on, outcome }) => [on, outcome]),
      [
        ['a', 'completed'],
        ['other', null],
      ],
    );
    await b.run('other', 'completed');
    assert.equal(await stateOf(b, 'b'), 'pending');
  });

  test('a child waits for its own start time after its parents', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', after('b', [on('a')], { runAt: T0 + 5000 }));
    await b.run('a', 'completed');
    assert.equal(await stateOf(b, 'b'), 'pending');
    assert.equal((await b.turn()).nextDueAt, T0 + 5000);
    assert.deepEqual(idsOf(await b.claim(5)), []);
    b.later(5000);
    assert.deepEqual(idsOf(await b.claim(5)), ['b']);
  });

  test('a group has finished if it has no unfinished job', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }), newJob('b', { group: 'g' }));
    await b.enqueue(after('c', [on('group:g')]));
    await b.run('a', 'completed');
    assert.equal(await stateOf(b, 'c'), 'blocked');
    await b.enqueue(newJob('late', { group: 'g' }));
    await b.run('b', 'completed');
    assert.equal(await stateOf(b, 'c'), 'blocked');
    await b.run('late', 'completed');
    assert.equal(await stateOf(b, 'c'), 'pending');
  });

  test('a group with a dead job has failed when all its jobs have finished', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g', maxRetries: 0 }), newJob('b', { group: 'g' }));
    await b.enqueue(after('good', [on('group:g')]), after('bad', [on('group:g', 'failure')]));
    await b.run('a', 'failed');
    assert.equal(await stateOf(b, 'good'), 'blocked');
    await b.run('b', 'completed');
    assert.equal(await stateOf(b, 'good'), 'cancelled');
    assert.equal((await b.job('good')).lastError, 'dependency failed: group g has dead jobs');
    assert.equal((await b.job('bad')).state, 'pending');
  });

  test('deleting the last unfinished job of a group finishes the group', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }), newJob('b', { group: 'g' }), after('c', [on('group:g')]));
    await b.run('a', 'completed');
    await b.store.remove(['b']);
    assert.equal(await stateOf(b, 'c'), 'pending');
  });

  test('very many children are updated in bounded batches', async (t) => {
    const b = await bench(t);
    const children = Array.from({ length: 1000 }, (_, i) => after(`c${i}`, [on('a')]));
    await b.enqueue('a', ...children);
    await b.run('a', 'completed');
    const first = await b.store.dependencies.advance(300);
    assert.deepEqual(first, { told: 300, more: true });
    const { queues } = await b.store.overview();
    assert.equal(queues[0]?.counts.blocked, 700);
    await advance(b);
    assert.equal((await b.store.overview()).queues[0]?.counts.blocked, 0);
    assert.deepEqual(await b.store.check(), []);
  });

  test('an unknown parent is rejected, and nothing is stored', async (t) => {
    const b = await bench(t);
    for (const parent of ['nobody', 'group:nothing']) {
      await rejection('unknown_dependency', () => b.store.enqueue([newJob('fine'), after('x', [on(parent)])]));
    }
    assert.deepEqual(await b.ids(), []);
  });

  test('jobs that depend on each other are rejected with a remedy, and nothing is stored', async (t) => {
    const b = await bench(t);
    const { message } = await rejection('dependency_cycle', () =>
      b.store.enqueue([after('a', [on('b')]), after('b', [on('c')]), after('c', [on('a')])]),
    );
    assert.match(message, /a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c/);
    assert.deepEqual(await b.ids(), []);
  });

  test('a cycle through groups is rejected as well', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('first', { group: 'g' }), newJob('second', { group: 'h' }));
    await b.enqueue(after('waits for h', [on('group:h')], { group: 'g', id: 'gh' }));
    const closing = [after('hg', [on('group:g')], { group: 'h' }), after('own', [on('group:g')], { group: 'g' })];
    for (const job of closing) await rejection('dependency_cycle', () => b.store.enqueue([job]));
    assert.deepEqual(await b.ids(), ['first', 'second', 'gh']);
  });

  test('waiting dependents are copied and updated in the target', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue(newJob('a', { group: 'g' }), after('b', [on('a')]), after('c', [on('group:g')]));
    await to.store.copyIn(await from.store.copyOut(0, 100));
    await to.store.copyTablesIn(await from.store.copyTablesOut());
    await to.run('a', 'completed');
    assert.equal(await stateOf(to, 'b'), 'pending');
    assert.equal(await stateOf(to, 'c'), 'pending');
  });

  test('a reset deletes all dependencies', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }), after('b', [on('a')]));
    await b.store.reset();
    await b.worker('w2');
    assert.equal((await b.turn({}, 'w2')).hasEndings, false);
    assert.equal(await b.store.groups.get('g'), null);
    assert.deepEqual(await b.store.check(), []);
  });

  test('children are found by their parent', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', after('b', [on('a')]), after('c', [on('a')]));
    assert.deepEqual(await b.store.dependencies.childrenOf('a', 10), ['b', 'c']);
    assert.deepEqual(await b.store.dependencies.childrenOf('a', 1), ['b']);
    assert.deepEqual(await b.store.dependencies.childrenOf('b', 10), []);
  });
}
