// Who is woken after a worker's turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../src/job/job.ts';
import { givesOthersWork } from '../../src/job/waking.ts';

test('a job that was put back wakes others, any other end does not', () => {
  const waking = STATES.filter((state) => givesOthersWork([{ state: 'completed' }, { state }], null));
  assert.deepEqual(waking, ['pending', 'failed']);
});

test('every end wakes others where a limit over all workers holds them back', () => {
  assert.equal(givesOthersWork([{ state: 'completed' }], 3), true);
});

test('nothing settled, or nothing but lost leases, wakes nobody', () => {
  assert.equal(givesOthersWork([], 3), false);
  assert.equal(givesOthersWork([{ state: null }], null), false);
});
