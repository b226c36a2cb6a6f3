import assert from 'node:assert/strict';
import { test } from 'node:test';
import { niceTime, niceTop, ticksOf } from '../../page/components/chart/scale.ts';

test('the top of a chart is a round number and never below the highest value', () => {
  assert.deepEqual([0, 1, 3, 11, 26, 51, 999, 1001].map(niceTop), [1, 1, 5, 20, 50, 100, 1000, 2000]);
  assert.deepEqual(
    [3, 61, 1001, 9_800, 61_000, 5 * 3_600_000].map(niceTime),
    [10, 100, 2000, 10_000, 120_000, 21_600_000],
  );
  for (let n = 0; n < 1e9; n = n * 1.7 + 1) assert.ok(niceTop(n) >= n && niceTime(n) >= n);
});

test('grid lines are at zero, half and top', () => {
  assert.deepEqual(ticksOf(50), [0, 25, 50]);
  assert.deepEqual(ticksOf(1), [0, 1]);
});
