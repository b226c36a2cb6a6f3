import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexesOf, parseArray } from '../../src/flow/array.ts';
import { rejected } from '../support/rejection.ts';

const indexes = (text: string): number[] => [...indexesOf(parseArray(text))];

describe('an array of jobs', () => {
  it('has every index of a range', () => assert.deepEqual(indexes('2-5'), [2, 3, 4, 5]));

  it('has single indexes and ranges in the given order', () => assert.deepEqual(indexes('7-9,1, 3'), [7, 8, 9, 1, 3]));

  it('knows its size without counting through it', () => assert.equal(parseArray('1-999999,0').size, 1_000_000));

  it('sets how many of its jobs may run at once', () => {
    assert.equal(parseArray('0-99%4').concurrency, 4);
    assert.equal(parseArray('0-99').concurrency, null);
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /''/],
    ['a-b', /'a-b'/],
    ['1,,2', /instead of an index/],
    ['-1', /instead of an index/],
    ['5-1', /empty range 5-1/],
    ['1-5,3', /index 3 twice/],
    ['4,4', /index 4 twice/],
    ['0-9%0', /the limit must be 1 or more/],
    ['0-9%', /the limit must be 1 or more/],
    ['0-9%two', /the limit must be 1 or more/],
    ['0-9%1%2', /more than one '%'/],
    ['0-9999999', /10000000 indexes; the maximum is 1000000/],
  ];
  for (const [text, says] of wrong) {
    it(`rejects '${text}' with an explanation`, () =>
      assert.match(rejected('usage', () => parseArray(text)).message, says));
  }
});
