// Many jobs, a page at a time: each once, in order, however many there are and whatever happens in between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { jobPages } from '../../src/report/job-pages.ts';
import { openQueue } from '../support/library.ts';

const MANY = 2500;
const ALL = { sort: 'created', descending: false, limit: null } as const;

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `job-${i}`);

async function withJobs(queue: Queue, count: number): Promise<string[]> {
  await queue.enqueue(names(count).map((id) => ({ id, command: 'true' })));
  return names(count);
}

test('an empty queue is one empty page', async (t) => {
  const queue = await openQueue(t);
  assert.deepEqual(await Array.fromAsync(jobPages(queue, ALL)), [{ jobs: [], isAll: true }]);
});

test('few jobs are exactly one page', async (t) => {
  const queue = await openQueue(t);
  await withJobs(queue, 3);
  const pages = await Array.fromAsync(jobPages(queue, ALL));
  assert.deepEqual(
    pages.map(({ jobs, isAll }) => [jobs.length, isAll]),
    [[3, true]],
  );
});

test('many jobs come in several pages, each job once and in order', async (t) => {
  const queue = await openQueue(t);
  const ids = await withJobs(queue, MANY);
  const pages = await Array.fromAsync(jobPages(queue, ALL));
  assert.ok(pages.length > 1 && pages.every(({ isAll }) => !isAll));
  assert.deepEqual(
    pages.flatMap(({ jobs }) => jobs.map(({ id }) => id)),
    ids,
  );
});

test('a limit applies within a page and across pages', async (t) => {
  const queue = await openQueue(t);
  await withJobs(queue, MANY);
  for (const limit of [1, 1000, 1001, 1002, 2001]) {
    const pages = await Array.fromAsync(jobPages(queue, { ...ALL, limit }));
    assert.equal(pages.flatMap(({ jobs }) => jobs).length, limit);
  }
});

test('jobs deleted or changed before their page is read are skipped, and new jobs do not repeat', async (t) => {
  const queue = await openQueue(t);
  const ids = await withJobs(queue, MANY);
  const seen: string[] = [];
  for await (const { jobs } of jobPages(queue, { ...ALL, states: ['pending'] })) {
    if (seen.length === 0) {
      await queue.remove(['job-1500']);
      await queue.cancel(['job-1600']);
      await queue.enqueue([{ id: 'new', command: 'true' }]);
    }
    seen.push(...jobs.map(({ id }) => id));
  }
  assert.deepEqual(
    seen,
    ids.filter((id) => id !== 'job-1500' && id !== 'job-1600'),
  );
});
