// Patterns with * and ?.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesGlob } from '../../src/text/glob.ts';

test('* stands for any characters and ? for one', () => {
  const pairs = [
    ['*', ''], ['*', 'anything at all'], ['a*c', 'abbbc'], ['a*c', 'ac'], ['*.png', 'x.png'], ['a?c', 'abc'], ['**', 'x'],
    ['a*b*c', 'aXbYbZc'], ['', ''],
  ] as const; // biome-ignore format: pairs
  for (const [pattern, text] of pairs) assert.ok(matchesGlob(pattern, text), `${pattern} ${text}`);
});

test('whatever else stands in a pattern means itself', () => {
  const pairs = [
    ['a*c', 'abd'], ['?', ''], ['a.c', 'abc'], ['[ab]', 'a'], ['a', 'ab'], ['a', ''], ['(a|b)', 'a'], ['A', 'a'],
  ] as const; // biome-ignore format: pairs
  for (const [pattern, text] of pairs) assert.ok(!matchesGlob(pattern, text), `${pattern} ${text}`);
});

test('neither goes beyond a character at which it stops', () => {
  assert.ok(matchesGlob('/usr/bin/*', '/usr/bin/make', '/'));
  assert.ok(!matchesGlob('/usr/bin/*', '/usr/bin/x/make', '/'));
  assert.ok(!matchesGlob('a?b', 'a/b', '/'));
});

test('no pattern takes long, however often * stands in it', () => {
  assert.ok(!matchesGlob('*a*a*a*a*a*a*a*a*b', 'a'.repeat(20_000)));
});
