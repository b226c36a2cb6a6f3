// Many jobs: every filter, order and limit answers what a walk over all of them would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Job, JobState } from '../../src/job/job.ts';
import { type JobFilter, type ListQuery, SORTS, type Sort } from '../../src/store/store.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { matches } from '../support/matching.ts';
import { type Bench, type MakeBench, REACHABLE } from './bench.ts';

const plain: ListQuery = { sort: 'created', descending: false, limit: null };

const keys: Record<Sort, (job: Job) => number | null> = {
  created: () => 0,
  updated: (job) => job.updatedAt,
  priority: (job) => job.priority,
  next_run: (job) => job.nextRunAt,
  finished: (job) => job.finishedAt,
  duration: (job) => job.durationMs,
  attempts: (job) => job.attempts,
};

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const oneOf = (...values: string[]): fc.Arbitrary<string | string[]> =>
  fc.oneof(fc.constantFrom(...values), fc.subarray(values, { minLength: 1 }));
const aTime = fc.integer({ min: T0 - 1000, max: T0 + 30_000 });

const simple = {
  states: maybe(fc.subarray([...REACHABLE])),
  queue: maybe(oneOf('default', 'mail', 'print', 'nowhere')),
  search: maybe(oneOf('1', 'echo', 'ECHO', 'exit code', '100%', '_', '\\', "'", '', 'zebra')),
};

export const aFilter: fc.Arbitrary<JobFilter> = fc.record({
  ...simple,
  group: maybe(oneOf('odd', 'even', 'nobody')),
  tag: maybe(oneOf('even', 'third', 'untagged')),
  name: maybe(oneOf('name0', 'name5', 'nameless')),
  held: maybe(fc.boolean()),
  id: maybe(oneOf('mail', 'mail1', 'alone', 'm', 'x')),
  error: maybe(oneOf('exit code', 'EXIT', 'timeout', 'nothing of the kind')),
  before: maybe(aTime),
  since: maybe(aTime),
});

const aQuery: fc.Arbitrary<ListQuery> = fc
  .tuple(
    fc.oneof(fc.record(simple), aFilter),
    fc.record({
      and: maybe(fc.array(aFilter, { maxLength: 2 })),
      sort: fc.constantFrom(...SORTS),
      descending: fc.boolean(),
      limit: fc.constantFrom(null, 0, 1, 5, 1000),
    }),
  )
  .map(([filter, query]) => ({ ...filter, ...query }));

export function listing(bench: MakeBench): void {
  test('any query returns the result of a walk over all jobs', async (t) => {
    const b = await bench(t);
    await populate(b);
    const all = await b.all();
    assert.deepEqual(new Set(all.map(({ state }) => state)), new Set<JobState>(REACHABLE));
    await fc.assert(
      fc.asyncProperty(aQuery, async (query) => {
        const found = await b.store.list(query);
        assert.deepEqual(
          found.map(({ id }) => id),
          walk(all, query).map(({ id }) => id),
        );
        assert.deepEqual(
          await b.store.idsOf(query),
          found.map(({ id }) => id),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('jobs are listed completely, as get() returns them', async (t) => {
    const b = await bench(t);
    await populate(b);
    for (const job of await b.store.list({ ...plain, queue: 'mail', limit: 10 })) {
      assert.deepEqual(job, await b.store.get(job.id));
    }
  });

  test('jobs are read by ID, in the given order, if they exist and match', async (t) => {
    const b = await bench(t);
    await populate(b);
    const ids = (await b.all()).map(({ id }) => id).reverse();
    const read = await b.store.getAll([...ids, 'nowhere'], {});
    assert.deepEqual(read, (await b.all()).reverse());
    const dead = await b.store.getAll(ids, { states: ['dead'], search: 'dead' });
    assert.deepEqual(
      dead.map(({ id, state }) => [id.slice(0, 4), state]),
      [
        ['dead', 'dead'],
        ['dead', 'dead'],
      ],
    );
    assert.deepEqual(await b.store.getAll([], {}), []);
  });

  test('the newest jobs come first on request', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c');
    const newest = await b.store.list({ ...plain, descending: true, limit: 2, states: ['pending'] });
    assert.deepEqual(
      newest.map(({ id }) => id),
      ['c', 'b'],
    );
  });

  test('an empty queue lists nothing', async (t) => {
    const b = await bench(t);
    for (const sort of SORTS) assert.deepEqual(await b.store.list({ ...plain, sort }), []);
  });
}

export async function populate(b: Bench): Promise<void> {
  for (const [i, state] of [...REACHABLE, ...REACHABLE].entries()) {
    b.later(1000 * (1 + (i % 3)));
    await b.jobIn(state, `${state}-${i}`);
  }
  for (let i = 0; i < 12; i++) {
    const command = i % 2 ? `echo 100% of ${i} isn't \\ all_` : ['Echo', String(i)];
    const tags = [...(i % 2 ? [] : ['even']), ...(i % 3 ? [] : ['third'])];
    const flow = { name: `name${i}`, group: i % 2 ? 'odd' : 'even', tags };
    await b.enqueue(newJob(`mail${i}`, { queue: 'mail', priority: i % 4, command, ...flow }));
  }
  await b.enqueue(newJob('alone', { queue: 'print', group: 'h' }));
  for (const outcome of ['failed', 'completed', 'timeout', 'failed'] as const) {
    b.later(777);
    const [claimed] = await b.claim(1, { queues: ['mail'] });
    if (claimed) await b.end(claimed, outcome, { durationMs: b.now % 100 });
  }
}

export function walk(all: readonly Job[], query: ListQuery): Job[] {
  const found = all.filter((job) => matches(job, query));
  const sorted = query.sort === 'created' ? inOrderOfArrival(found, query) : sortBy(found, query);
  return sorted.slice(0, query.limit ?? undefined);
}

const inOrderOfArrival = (found: Job[], query: ListQuery): Job[] => (query.descending ? found.reverse() : found);

/** What has no value comes last either way; equals stay in the order they came in. */
function sortBy(found: Job[], query: ListQuery): Job[] {
  const [key, sign] = [keys[query.sort], query.descending ? -1 : 1];
  return found.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  });
}
