// Where a change by a person leaves a waiting job.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAfter } from '../../src/job/waiting-change.ts';
import { T0 } from '../support/jobs.ts';

const DAY_MS = 86_400_000;
const held = { state: 'pending', runAt: null, nextRunAt: T0 + 3_600_000, held: 'by me', snoozes: 0 } as const;

test('a job released after a clock was ahead does not wait for that clock', () => {
  const { nextRunAt, ready } = placeAfter(held, { kind: 'release' }, T0);
  assert.deepEqual([nextRunAt, ready], [T0, 1]);
});

test('a job released after it asked to run later waits for the time it asked for', () => {
  const { nextRunAt, ready } = placeAfter({ ...held, snoozes: 1 }, { kind: 'release' }, T0);
  assert.deepEqual([nextRunAt, ready], [T0 + 3_600_000, 0]);
  const farAhead = { ...held, snoozes: 1, nextRunAt: T0 + 100 * DAY_MS };
  assert.equal(placeAfter(farAhead, { kind: 'release' }, T0).nextRunAt, T0 + 30 * DAY_MS);
});

test('a job released before its start time waits for it', () => {
  const { nextRunAt, ready } = placeAfter({ ...held, runAt: T0 + 3_600_000 }, { kind: 'release' }, T0);
  assert.deepEqual([nextRunAt, ready], [T0 + 3_600_000, 0]);
});
