// Whole jobs from elsewhere, behind those that are there: nothing of theirs is changed, and who waits finds its parents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dependency } from '../../src/job/flow/dependencies.ts';
import type { NewJob } from '../../src/job/job.ts';
import type { Cells, CopiedJob } from '../../src/store/store.ts';
import { newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { type Bench, idsOf, type MakeBench } from './bench.ts';

const ALL = 1000;

const after = (on: string, kind: Dependency['kind'] = 'job'): Partial<NewJob> => ({
  dependsOn: [{ kind, on, rule: 'success' }],
});

const without = (cells: Cells, ...names: string[]): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => !names.includes(name)));

/** Without the seqs, which mean nothing elsewhere. */
const unplaced = ({ job, attempts, rows, environment }: CopiedJob): CopiedJob => ({
  environment,
  job: without(job, 'seq'),
  attempts: attempts.map(({ cells }) => ({ cells: without(cells, 'job_seq') })),
  rows: Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [table, list.map((cells) => without(cells, 'job_seq', 'parent_seq'))]),
  ),
});

async function carry(from: Bench, to: Bench, ids?: readonly string[]): Promise<void> {
  const jobs = (await from.store.copyOut(0, ALL)).map(unplaced);
  await to.store.importJobs(jobs.filter(({ job }) => ids?.includes(String(job.id)) ?? true));
}

async function link(b: Bench): Promise<void> {
  while ((await b.store.linkImported(2)).more);
}

const stateOf = async (b: Bench, id: string): Promise<string> => (await b.job(id)).state;

export function importing(bench: MakeBench): void {
  test('imported jobs come after existing ones in order, with attempts and counts', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await to.enqueue('x', 'y');
    await from.enqueue(newJob('a', { group: 'g', tags: ['t'] }), 'b');
    await from.run('a', 'completed');
    await carry(from, to);
    assert.deepEqual(await to.ids(), ['x', 'y', 'a', 'b']);
    assert.deepEqual(await to.store.history('a'), await from.store.history('a'));
    assert.equal((await to.store.groups.get('g'))?.counts.completed, 1);
    assert.deepEqual(await to.store.check(), []);
    assert.deepEqual(idsOf(await to.claim(5)), ['x', 'y', 'b']);
  });

  test('a taken ID rejects the whole batch', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a', 'b', 'c');
    await to.enqueue('b');
    const { details } = await rejection('job_exists', () => carry(from, to));
    assert.equal(details.id, 'b');
    assert.deepEqual(await to.ids(), ['b']);
    assert.deepEqual(await to.store.takenIds(['a', 'b', 'c']), ['b']);
    assert.deepEqual(await to.store.takenIds([]), []);
  });

  test('a waiting job finds its parents at their new positions', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await to.enqueue('x');
    await from.enqueue('a', newJob('b', after('a')), newJob('c', after('b')));
    await carry(from, to);
    assert.equal(await stateOf(to, 'b'), 'blocked');
    await link(to);
    assert.deepEqual(await to.store.dependencies.childrenOf('a', 5), ['b']);
    assert.equal(await stateOf(to, 'b'), 'blocked');
    await to.run('a', 'completed');
    while ((await to.store.dependencies.advance(100)).more);
    assert.equal(await stateOf(to, 'b'), 'pending');
    await to.run('b', 'completed');
    while ((await to.store.dependencies.advance(100)).more);
    assert.equal(await stateOf(to, 'c'), 'pending');
  });

  test('parents that finished or disappeared in the meantime are known when the job is linked', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a', newJob('b', after('a')), newJob('c', after('a')), newJob('m', { group: 'g' }));
    await from.enqueue(newJob('d', after('g', 'group')), newJob('e', after('a')));
    await carry(from, to, ['a', 'b', 'd', 'm']);
    await to.run('a', 'completed');
    await to.run('m', 'completed');
    while ((await to.store.dependencies.advance(100)).more);
    await link(to);
    assert.deepEqual([await stateOf(to, 'b'), await stateOf(to, 'd')], ['pending', 'pending']);
    await to.store.remove(['a']);
    await carry(from, to, ['c', 'e']);
    await link(to);
    assert.equal(await stateOf(to, 'c'), 'cancelled');
    assert.equal((await to.job('c')).lastError, 'dependency failed: job a was deleted');
  });

  test('the result of a parent is kept, even after the parent was deleted', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue(
      'a',
      'open',
      newJob('b', {
        dependsOn: [
          { kind: 'job', on: 'a', rule: 'success' },
          { kind: 'job', on: 'open', rule: 'success' },
        ],
      }),
    );
    await from.run('a', 'completed');
    while ((await from.store.dependencies.advance(100)).more);
    await from.store.remove(['a']);
    await carry(from, to);
    await link(to);
    const edges = await to.store.dependencies.ofJob('b');
    assert.deepEqual(
      edges.map(({ on, outcome }) => [on, outcome]),
      [
        ['a', 'completed'],
        ['open', null],
      ],
    );
  });

  test("the queue's own rows are kept", async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue(
      newJob('a', { group: 'g', groupConcurrency: 4 }),
      newJob('b', { group: 'h', groupConcurrency: 5 }),
    );
    await to.enqueue(newJob('x', { group: 'g', groupConcurrency: 2 }));
    await to.store.importTables(await from.store.copyTablesOut());
    const limits = async (name: string) => (await to.store.groups.get(name))?.concurrency;
    assert.deepEqual([await limits('g'), await limits('h')], [2, 5]);
  });

  test('the columns of every copied table are known, and only jobs, attempts and their tables have a seq', async (t) => {
    const b = await bench(t);
    const columns = await b.store.copiedColumns();
    const named = (table: string) => columns[table]?.map(({ name }) => name) ?? [];
    assert.ok(named('jobs').includes('command'));
    assert.deepEqual(Object.keys(columns).filter((table) => named(table).includes('job_seq')).sort(), [
      'attempts', 'dependencies', 'tags',
    ]); // biome-ignore format: a list of words
    const priority = columns.jobs?.find(({ name }) => name === 'priority');
    assert.deepEqual(priority, { name: 'priority', type: 'integer', isNullable: false, hasDefault: false });
    const cwd = columns.jobs?.find(({ name }) => name === 'cwd');
    assert.deepEqual([cwd?.type, cwd?.isNullable], ['text', true]);
    assert.equal(columns.jobs?.find(({ name }) => name === 'backoff_base')?.type, 'real');
    assert.equal(columns.jobs?.find(({ name }) => name === 'runs')?.hasDefault, true);
  });
}
