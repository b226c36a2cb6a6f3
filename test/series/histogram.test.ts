// How long things took, in buckets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addHistogram,
  BOUNDS_MS,
  countOf,
  countUpTo,
  type Histogram,
  quantile,
  Values,
} from '../../src/series/histogram.ts';

const WEEK_MS = 7 * 86_400_000;

function histogramOf(given: readonly number[]): Histogram {
  const values = new Values();
  for (const value of given) values.add(value);
  return JSON.parse(values.text);
}

test('bounds grow, and none is more than double the previous one up to a day', () => {
  for (const [i, bound] of BOUNDS_MS.entries()) {
    const before = BOUNDS_MS[i - 1];
    if (before === undefined) continue;
    assert.ok(bound > before);
    if (bound <= 86_400_000) assert.ok(bound <= 2 * before, `${before} to ${bound}`);
  }
});

test('a value is in the bucket whose bound it does not exceed', () => {
  assert.deepEqual(histogramOf([0, 1, 2, 10, 11, WEEK_MS, WEEK_MS + 1]), {
    sum: 24 + 2 * WEEK_MS + 1,
    in: { 1: 2, 2: 1, 10: 1, 15: 1, [WEEK_MS]: 1, above: 1 },
  });
});

test('a negative or missing value, as after a clock was set back, counts as zero', () => {
  assert.deepEqual(histogramOf([-5, Number.NaN]), { sum: 0, in: { 1: 2 } });
});

test('histograms add up to the histogram of all their values, in any order', () => {
  const values = fc.array(fc.integer({ min: 0, max: 2 * WEEK_MS }));
  fc.assert(
    fc.property(values, values, (some, others) => {
      const sum = addHistogram(histogramOf(some), histogramOf(others));
      assert.deepEqual(sum, histogramOf([...others, ...some]));
      assert.equal(countOf(sum), some.length + others.length);
    }),
  );
});

test('a percentile is in the bucket of its value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: WEEK_MS }), { minLength: 1 }),
      fc.constantFrom(0.5, 0.95, 0.99, 1),
      (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        const upper = BOUNDS_MS.find((bound) => exact <= bound) ?? 0;
        const lower = BOUNDS_MS.findLast((bound) => bound < upper) ?? 0;
        const found = quantile(histogramOf(values), share) ?? -1;
        assert.ok(found >= lower && found <= upper, `${found} for ${exact}`);
      },
    ),
  );
});

test('no values have no percentile, and above the last bound the percentile is that bound', () => {
  assert.equal(quantile({ sum: 0, in: {} }, 0.5), null);
  assert.equal(quantile(histogramOf([WEEK_MS * 3]), 0.5), WEEK_MS);
});

test('values up to a bound can be counted', () => {
  const histogram = histogramOf([5, 50, 500, 5000, WEEK_MS * 2]);
  assert.deepEqual(
    [4, 5, 500, WEEK_MS, Number.POSITIVE_INFINITY].map((ms) => countUpTo(histogram, ms)),
    [0, 1, 3, 4, 5],
  );
});
