// How long ago something was, as people write it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAgeMs } from '../../src/time/age.ts';

const HOUR = 3_600_000;
const NOON = new Date(2026, 10, 18, 12).getTime();

test('an age is a duration, a day or a time', () => {
  for (const [text, hours] of [
    ['2h', 2],
    ['1d', 24],
    ['today', 12],
    ['Yesterday', 36],
    ['2026-11-17', 36],
    ['2026-11-18T09:00', 3],
    ['2026-11-18 09:00', 3],
  ] as const)
    assert.equal(parseAgeMs(text, NOON), hours * HOUR, text);
});

test('the future and other texts are not an age', () => {
  for (const text of ['tomorrow', '2026-11-19', '2026-13-45', 'long ago', ''])
    assert.equal(parseAgeMs(text, NOON), null);
});
