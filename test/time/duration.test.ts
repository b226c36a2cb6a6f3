// Durations as people write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDurationMs } from '../../src/time/duration.ts';

const right: [text: string, ms: number][] = [
  ['0', 0],
  ['90', 90_000],
  ['1.5', 1500],
  ['500ms', 500],
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1h 30m', 5_400_000],
  ['2 hours', 7_200_000],
  ['1 hour 1 minute 1 second', 3_661_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  [' 3 MIN ', 180_000],
  ['0.5h', 1_800_000],
];
for (const [text, ms] of right) {
  test(`'${text}' is ${ms} ms`, () => assert.equal(parseDurationMs(text), ms));
}

const wrong = ['', ' ', '-5', '-5s', '+5s', '5x', 's', '1h30', '5 constructor', '1,5s', '1e3', 'NaN', 'Infinity'];
for (const text of wrong) {
  test(`'${text}' is not a duration`, () => assert.equal(parseDurationMs(text), null));
}

test('digits beyond the number range are not a duration', () => {
  assert.equal(parseDurationMs('9'.repeat(400)), null);
  assert.equal(parseDurationMs(`${'9'.repeat(400)}s`), null);
});

test('any text is a finite number of milliseconds from 0 on, or invalid', () => {
  const pieces = fc.constantFrom('1', '9', '.', ' ', 's', 'm', 'h', 'ms', 'day', '-', 'e');
  const aText = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(aText, (text) => {
      const ms = parseDurationMs(text);
      assert.ok(ms === null || (Number.isFinite(ms) && ms >= 0), String(ms));
    }),
  );
});
