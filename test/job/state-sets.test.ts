// What a job in each state allows, written out once more on purpose: a changed table must be meant.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type JobState, NON_FINAL_STATES, STATES } from '../../src/job/job.ts';
import {
  CANCELLABLE_STATES,
  CLAIMABLE_STATES,
  countClaimable,
  finalAmong,
  isClaimable,
  isRunning,
  REMOVABLE_STATES,
  RETRYABLE_STATES,
  UNFINISHED_STATES,
} from '../../src/job/state-sets.ts';

describe('a job', () => {
  test('waits for a worker when it is pending or failed', () => {
    assert.deepEqual(CLAIMABLE_STATES, ['pending', 'failed']);
    assert.deepEqual(STATES.filter(isClaimable), CLAIMABLE_STATES);
  });

  test('runs when it is processing', () => {
    assert.deepEqual(STATES.filter(isRunning), ['processing']);
  });

  test('can be retried once an attempt has failed or it is final', () => {
    assert.deepEqual(RETRYABLE_STATES, ['failed', 'completed', 'dead', 'cancelled']);
  });

  test('can be cancelled until it is final', () => {
    assert.deepEqual([...CANCELLABLE_STATES].sort(), [...NON_FINAL_STATES].sort());
  });

  test('can be deleted unless it runs', () => {
    assert.deepEqual(REMOVABLE_STATES, ['blocked', 'pending', 'failed', 'completed', 'dead', 'cancelled']);
  });

  test('is unfinished while it waits for a worker or runs', () => {
    assert.deepEqual(UNFINISHED_STATES, ['pending', 'processing', 'failed']);
  });
});

test('only final states can be pruned, whatever is requested', () => {
  assert.deepEqual(finalAmong(['dead', 'pending', 'completed']), ['completed', 'dead']);
  assert.deepEqual(finalAmong(['processing']), []);
});

test('jobs that wait for a worker are counted over their states', () => {
  const counts = Object.fromEntries(STATES.map((state, i) => [state, 10 ** i])) as Record<JobState, number>;
  assert.equal(countClaimable(counts), counts.pending + counts.failed);
});
