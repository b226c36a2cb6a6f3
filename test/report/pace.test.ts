// How fast something gets done: nothing before it is known, and only what the last minute showed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../src/report/metrics/pace.ts';

const seen = (...sightings: [seconds: number, done: number][]): Pace => {
  const pace = new Pace();
  for (const [seconds, done] of sightings) pace.see(done, seconds * 1000);
  return pace;
};

test('there is no estimate before enough was measured', () => {
  assert.equal(seen().perSecond, null);
  assert.equal(seen([0, 5]).perSecond, null);
  assert.equal(seen([0, 5], [1, 9]).perSecond, null, 'one second is chance');
  assert.equal(seen([0, 5], [10, 6]).perSecond, null, 'one job is chance');
  assert.equal(seen([0, 5], [10, 5]).msFor(3), null);
});

test('the rate covers jobs finished during the measurement, not earlier ones', () => {
  const pace = seen([0, 100], [4, 108]);
  assert.equal(pace.perSecond, 2);
  assert.equal(pace.msFor(50), 25_000);
});

test('only the last minute counts', () => {
  const pace = seen([0, 0], [30, 3000], [60, 3000], [90, 3000], [100, 3010]);
  assert.equal(pace.perSecond?.toFixed(6), (10 / 70).toFixed(6), 'since the last sighting before that');
});

test('after a minute without progress there is no estimate', () => {
  assert.equal(seen([0, 0], [5, 50], [70, 50], [80, 50]).perSecond, null);
});

test('if the count decreases, the measurement starts again', () => {
  assert.equal(seen([0, 0], [10, 20], [11, 15]).perSecond, null);
  assert.equal(seen([0, 0], [10, 20], [11, 15], [15, 19]).perSecond, 1);
});
