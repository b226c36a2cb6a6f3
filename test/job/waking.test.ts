// Who is woken after a worker's turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../src/job/job.ts';
import { givesOthersWork } from '../../src/job/waking.ts';

test('a requeued job wakes workers, any other outcome does not', () => {
  const waking = STATES.filter((state) => givesOthersWork([{ state: 'completed' }, { state }], false));
  assert.deepEqual(waking, ['pending', 'failed']);
});

test('every outcome that frees a slot under a limit wakes workers', () => {
  assert.equal(givesOthersWork([{ state: 'completed' }], true), true);
});

test('no outcome, or only lost leases, wakes no worker', () => {
  assert.equal(givesOthersWork([], false), false);
  assert.equal(givesOthersWork([{ state: null }], false), false);
});
