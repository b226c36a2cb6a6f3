// The error catalogue keeps to the exit codes of the contract, and its messages to one form.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, type ErrorKind, errorKinds } from '../../src/errors/errors.ts';

const catalogue = Object.entries(errorKinds()) as [ErrorCode, ErrorKind][];

describe('the error catalogue', () => {
  test('uses the exit codes of the contract', () => {
    const exits = new Set(catalogue.map(([, { exit }]) => exit));
    assert.deepEqual(
      [...exits].sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 124],
    );
  });

  test('gives each exit code one kind of HTTP status', () => {
    const kinds: Record<number, number[]> = {
      1: [500],
      2: [400, 401, 403, 405, 408, 413, 415, 416, 421, 422, 429],
      3: [404],
      4: [409, 429],
      5: [503],
      124: [504],
    };
    for (const [code, { exit, http }] of catalogue) assert.ok(kinds[exit]?.includes(http), code);
  });

  test('has messages that start in lower case and end without a full stop, because they follow a prefix', () => {
    for (const [code, { message }] of catalogue) assert.doesNotMatch(message, /^[A-Z]|\.$/, code);
  });
});
