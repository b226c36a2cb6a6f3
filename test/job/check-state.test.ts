// What a person is told who asks for something that the job's state does not allow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkState } from '../../src/job/check-state.ts';
import { REMOVABLE_STATES, RETRYABLE_STATES } from '../../src/job/state-sets.ts';
import { rejected } from '../support/rejection.ts';

test('a job in an allowed state passes', () => {
  checkState('a', 'dead', RETRYABLE_STATES, 'retry');
});

test('an unknown job is job_not_found', () => {
  const { details } = rejected('job_not_found', () => checkState('a', undefined, RETRYABLE_STATES, 'retry'));
  assert.equal(details.id, 'a');
});

test('a job in another state is rejected with the allowed states', () => {
  const { message, hint } = rejected('wrong_state', () => checkState('a', 'pending', RETRYABLE_STATES, 'retry'));
  assert.match(message, /a.*pending/);
  assert.match(hint ?? '', /queuectl show a/);
});

test('a running job is rejected with the way to stop it', () => {
  const { hint } = rejected('wrong_state', () => checkState('a', 'processing', REMOVABLE_STATES, 'delete'));
  assert.match(hint ?? '', /queuectl cancel a/);
});
