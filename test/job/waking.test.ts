// Who is woken after a worker's turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../src/job/job.ts';
import { givesOthersWork } from '../../src/job/waking.ts';

test('a job that was put back wakes others, any other end does not', () => {
  const waking = STATES.filter((state) => givesOthersWork([{ state: 'completed' }, { state }], false));
  assert.deepEqual(waking, ['pending', 'failed']);
});

test('every end that makes room under a limit wakes others', () => {
  assert.equal(givesOthersWork([{ state: 'completed' }], true), true);
});

test('nothing settled, or nothing but lost leases, wakes nobody', () => {
  assert.equal(givesOthersWork([], false), false);
  assert.equal(givesOthersWork([{ state: null }], false), false);
});
