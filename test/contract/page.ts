// Pages of jobs: joined, they are the list, whatever the filter, the order and the size of the pages; and none of them looks
// at more jobs than it may.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JobFilter, type PageEnd, type PageQuery, SORTS, type Store } from '../../src/store/store.ts';
import { newJob } from '../support/jobs.ts';
import { matches } from '../support/matching.ts';
import type { MakeBench } from './bench.ts';
import { aFilter, populate, walk } from './list.ts';

const newest = { sort: 'created', descending: true, after: null } as const;

const aPaging = fc.record({
  filter: aFilter,
  and: fc.option(fc.array(aFilter, { maxLength: 2 }), { nil: undefined }),
  sort: fc.constantFrom(...SORTS),
  descending: fc.boolean(),
  limit: fc.constantFrom(1, 3, 7, 100),
  lookAt: fc.constantFrom(1, 4, 9, 1000),
});

export function paging(bench: MakeBench): void {
  test('the pages of any query equal the list, none longer than requested', async (t) => {
    const b = await bench(t);
    await populate(b);
    const all = await b.all();
    await fc.assert(
      fc.asyncProperty(aPaging, async ({ filter, and, sort, descending, limit, lookAt }) => {
        const query = { ...filter, and, sort, descending, limit, lookAt };
        const found = await allPages(b.store, query);
        const wanted = walk(all, { ...filter, and, sort, descending, limit: null });
        assert.deepEqual(
          found,
          wanted.map(({ id }) => id),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('jobs are counted in parts, as a walk over all of them would', async (t) => {
    const b = await bench(t);
    await populate(b);
    const all = await b.all();
    await fc.assert(
      fc.asyncProperty(aFilter, fc.constantFrom(1, 5, 1000), async (filter, lookAt) => {
        const wanted = all.filter((job) => matches(job, filter)).length;
        assert.equal(await countAll(b.store, filter, lookAt), wanted);
      }),
      { numRuns: 100 },
    );
  });

  test('a page ends at its search limit and returns where to continue', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('rare', { command: 'echo zebra' }), ...namesUpTo(20));
    const query = { ...newest, search: 'zebra', limit: 5 };
    const first = await b.store.page({ ...query, lookAt: 8 });
    assert.deepEqual([first.jobs, first.lookedAt], [[], 8]);
    const second = await b.store.page({ ...query, lookAt: 100, after: first.next });
    assert.deepEqual([second.jobs.map(({ id }) => id), second.lookedAt, second.next], [['rare'], 13, null]);
  });

  test('jobs added between two pages shift nothing', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c', 'd');
    const first = await b.store.page({ ...newest, limit: 2, lookAt: 10 });
    await b.enqueue('e', 'f');
    const second = await b.store.page({ ...newest, limit: 2, lookAt: 10, after: first.next });
    assert.deepEqual(
      [...first.jobs, ...second.jobs].map(({ id }) => id),
      ['d', 'c', 'b', 'a'],
    );
  });

  test('pages contain complete jobs, as get() returns them', async (t) => {
    const b = await bench(t);
    await populate(b);
    const { jobs } = await b.store.page({ ...newest, queue: 'mail', limit: 10, lookAt: 10 });
    assert.equal(jobs.length, 10);
    for (const job of jobs) assert.deepEqual(job, await b.store.get(job.id));
  });
}

const namesUpTo = (n: number): string[] => Array.from({ length: n }, (_, i) => `n${i}`);

async function allPages(store: Store, query: Omit<PageQuery, 'after'>): Promise<string[]> {
  const found: string[] = [];
  let after: PageEnd | null = null;
  do {
    const { jobs, next, lookedAt } = await store.page({ ...query, after });
    assert.ok(jobs.length <= query.limit);
    if (query.sort === 'created') assert.ok(lookedAt <= Math.max(query.limit, query.lookAt));
    found.push(...jobs.map(({ id }) => id));
    after = next;
  } while (after !== null);
  return found;
}

async function countAll(store: Store, filter: JobFilter, lookAt: number): Promise<number> {
  let [count, after]: [number, number | null] = [0, null];
  do {
    const some = await store.countSome(filter, lookAt, after);
    assert.ok(some.lookedAt <= lookAt);
    count += some.count;
    after = some.next;
  } while (after !== null);
  return count;
}
