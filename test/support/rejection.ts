// What a rejected request must look like: a QueueError with a code, and words a user can read.

import assert from 'node:assert/strict';
import { type ErrorCode, QueueError } from '../../src/errors/errors.ts';

/** The error that `work` throws; anything but a QueueError of this code fails the test. */
export async function rejection(code: ErrorCode, work: () => unknown): Promise<QueueError> {
  try {
    await work();
  } catch (error) {
    return expectRejection(code, error);
  }
  return assert.fail(`should have been rejected with ${code}`);
}

export function rejected(code: ErrorCode, work: () => unknown): QueueError {
  try {
    work();
  } catch (error) {
    return expectRejection(code, error);
  }
  return assert.fail(`should have been rejected with ${code}`);
}

function expectRejection(code: ErrorCode, error: unknown): QueueError {
  if (!(error instanceof QueueError)) throw error;
  assert.equal(error.code, code, error.message);
  assert.doesNotMatch(error.message, /\{\w+\}|undefined|^\s*$/, 'every blank of the sentence is filled in');
  return error;
}
