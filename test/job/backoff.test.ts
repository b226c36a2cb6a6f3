// The wait before a retry: the promised numbers, and nothing odd at the edges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Backoff, backoffSeconds } from '../../src/job/backoff.ts';
import { STRATEGIES } from '../../src/job/job.ts';

const MIDDLE = 0.5;
const plain: Backoff = { strategy: 'exponential', base: 2, maxSeconds: 3600, jitter: 0 };
const waits = (backoff: Backoff, ...attempts: number[]) =>
  attempts.map((attempt) => backoffSeconds(backoff, attempt, MIDDLE));

const aBackoff: fc.Arbitrary<Backoff> = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  base: fc.double({ min: 0, max: 315_360_000, noNaN: true }),
  maxSeconds: fc.double({ min: 0, max: 315_360_000, noNaN: true }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});
const anAttempt = fc.integer({ min: 1, max: 1_000_001 });
const aChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('exponential with base 2 waits 2, 4, 8 seconds', () => {
  assert.deepEqual(waits(plain, 1, 2, 3), [2, 4, 8]);
});

test('linear waits base × attempts', () => {
  assert.deepEqual(waits({ ...plain, strategy: 'linear', base: 5 }, 1, 2, 3), [5, 10, 15]);
});

test('fixed waits the base each time', () => {
  assert.deepEqual(waits({ ...plain, strategy: 'fixed', base: 5 }, 1, 2, 30), [5, 5, 5]);
});

test('no wait is longer than backoff_max', () => {
  assert.deepEqual(waits(plain, 11, 12, 13, 5000), [2048, 3600, 3600, 3600]);
});

test('without jitter a wait is exact', () => {
  fc.assert(
    fc.property(aBackoff, anAttempt, aChance, (backoff, attempts, chance) => {
      const still = { ...backoff, jitter: 0 };
      assert.equal(backoffSeconds(still, attempts, chance), backoffSeconds(still, attempts, MIDDLE));
    }),
  );
});

test('jitter changes a wait by at most its share in both directions', () => {
  fc.assert(
    fc.property(aBackoff, anAttempt, aChance, (backoff, attempts, chance) => {
      const exact = backoffSeconds({ ...backoff, jitter: 0 }, attempts, MIDDLE);
      const moved = backoffSeconds(backoff, attempts, chance);
      const slack = exact * 1e-9;
      assert.ok(moved >= exact * (1 - backoff.jitter) - slack, `${moved} is too short for ${exact}`);
      assert.ok(moved <= exact * (1 + backoff.jitter) + slack, `${moved} is too long for ${exact}`);
    }),
  );
});

test('jitter spreads retries over the whole range', () => {
  const half = { ...plain, strategy: 'fixed', base: 100, jitter: 0.5 } as const;
  assert.equal(backoffSeconds(half, 1, 0), 50);
  assert.equal(backoffSeconds(half, 1, MIDDLE), 100);
  assert.ok(backoffSeconds(half, 1, 0.999) > 149);
});

test('a wait is between 0 and backoff_max, whatever the settings', () => {
  fc.assert(
    fc.property(aBackoff, anAttempt, aChance, (backoff, attempts, chance) => {
      const seconds = backoffSeconds(backoff, attempts, chance);
      assert.ok(seconds >= 0 && seconds <= backoff.maxSeconds, String(seconds));
    }),
  );
});

test('a power beyond the number range still waits backoff_max, or less with jitter', () => {
  assert.equal(backoffSeconds({ ...plain, jitter: 1 }, 5000, 0), 0);
  assert.equal(backoffSeconds({ ...plain, jitter: 1 }, 5000, MIDDLE), 3600);
});
