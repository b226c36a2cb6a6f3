import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shellWords } from '../../page/core/shell-words.ts';

test('spaces separate words, and quotes and backslashes protect them', () => {
  assert.deepEqual(shellWords('  convert a.png\n -resize 200  '), ['convert', 'a.png', '-resize', '200']);
  assert.deepEqual(shellWords(`a 'b c' "d \\"e\\"" f\\ g h'i'"j"`), ['a', 'b c', 'd "e"', 'f g', 'hij']);
  assert.deepEqual(shellWords(`sh -c 'echo "$1"' sh {x}`), ['sh', '-c', 'echo "$1"', 'sh', '{x}']);
  assert.deepEqual(shellWords(`a '' ""`), ['a', '', '']);
  assert.deepEqual(shellWords(''), []);
});

test('an unclosed quote is an error', () => {
  for (const text of ["a 'b", 'a "b', 'a \\']) assert.equal(shellWords(text), null, text);
});
