// Rates as people write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRate, rateText } from '../../src/time/rate.ts';

test('a rate is a number and a unit', () => {
  assert.equal(parseRate('10/s'), 10);
  assert.equal(parseRate('120/m'), 2);
  assert.equal(parseRate(' 1 / h '), 1 / 3600);
  assert.equal(parseRate('0.5/min'), 0.5 / 60);
  assert.equal(parseRate('1/day'), 1 / 86_400);
});

test('without a known unit a text is not a rate', () => {
  for (const text of ['10', '10/', '/s', '10/fortnight', '-1/s', '0/s', 'fast', '1e9/s', '']) {
    assert.equal(parseRate(text), null, text);
  }
});

test('a rate is printed in the most readable unit', () => {
  for (const text of ['10/s', '30/m', '100/m', '5/h', '1/d', '1000/d'])
    assert.equal(rateText(parseRate(text) ?? 0), text);
});
