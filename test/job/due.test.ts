// When a job may start.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRunAt, isDue } from '../../src/job/due.ts';
import { freshJob } from '../../src/job/fresh-job.ts';
import { newJob, T0 } from '../support/jobs.ts';

test('a job is due at its start time and after it, not before', () => {
  assert.deepEqual(
    [T0 - 1, T0, T0 + 1].map((now) => isDue(T0, now)),
    [false, true, true],
  );
});

test('a job without a next start is never due', () => {
  assert.equal(isDue(null, T0), false);
});

test('a new job starts at its start time, or immediately without one or after it', () => {
  assert.deepEqual(
    [null, T0 - 5, T0, T0 + 5].map((runAt) => firstRunAt(runAt, T0)),
    [T0, T0, T0, T0 + 5],
  );
});

test('a new job is pending, has never started, and keeps its given fields', () => {
  const fresh = freshJob(newJob('a', { runAt: T0 + 5 }), T0);
  const { state, attempts, nextRunAt, runAt, createdAt, startedAt, lockedBy } = fresh;
  assert.deepEqual([state, attempts, nextRunAt, runAt], ['pending', 0, T0 + 5, T0 + 5]);
  assert.deepEqual([createdAt, startedAt, lockedBy], [T0, null, null]);
});
