// Who waits for what, asked from either end; and the jobs of a group.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Link } from '../../src/store/store.ts';
import { newJob } from '../support/jobs.ts';
import type { MakeBench } from './bench.ts';

const on = (parent: string) => ({ kind: 'job', on: parent, rule: 'success' }) as const;
const words = (links: readonly Link[]): string[] =>
  links.map(({ child, kind, on, rule, outcome }) => `${child} ${kind} ${on} ${rule} ${outcome}`);

export function linking(bench: MakeBench): void {
  test('links of a job are those to its parents and from its children, each once', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('b', { dependsOn: [on('a')] }), newJob('c', { dependsOn: [on('b'), on('a')] }));
    assert.deepEqual(words(await b.store.dependencies.linksOf(['b'], [], 10)), [
      'b job a success null',
      'c job b success null',
    ]);
    assert.equal((await b.store.dependencies.linksOf(['a', 'b', 'c'], [], 10)).length, 3);
    assert.equal((await b.store.dependencies.linksOf(['a', 'b', 'c'], [], 2)).length, 2);
    assert.deepEqual(await b.store.dependencies.linksOf(['nobody'], ['nowhere'], 10), []);
  });

  test('links of a group come from its dependents, also when it has finished', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }));
    await b.enqueue(newJob('b', { dependsOn: [{ kind: 'group', on: 'g', rule: 'end' }] }));
    await b.run('a', 'failed');
    assert.deepEqual(words(await b.store.dependencies.linksOf([], ['g'], 10)), ['b group g end null']);
    await b.store.cancel(['a']);
    await b.store.dependencies.advance(10);
    assert.deepEqual(words(await b.store.dependencies.linksOf([], ['g'], 10)), ['b group g end cancelled']);
  });

  test('the newest jobs come with their groups', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('b', { group: 'g' }), 'c');
    assert.deepEqual(await b.store.groups.ofNewest(2), [
      { id: 'c', group: null },
      { id: 'b', group: 'g' },
    ]);
  });

  test('the jobs of a group come in order, and of too many only the important ones', async (t) => {
    const b = await bench(t);
    await b.enqueue(...['a', 'b', 'c', 'd'].map((id) => newJob(id, { group: 'g', maxRetries: 0 })), 'other');
    await b.run('b', 'completed');
    await b.run('c', 'failed');
    assert.deepEqual(await b.store.groups.jobsIn('g', 10), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await b.store.groups.jobsIn('g', 2), ['a', 'c']);
    assert.deepEqual(await b.store.groups.jobsIn('nowhere', 2), []);
  });
}
