// Patterns with * and ?.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesGlob } from '../../src/text/glob.ts';

test('* matches any characters and ? one character', () => {
  const pairs = [
    ['*', ''], ['*', 'anything at all'], ['a*c', 'abbbc'], ['a*c', 'ac'], ['*.png', 'x.png'], ['a?c', 'abc'], ['**', 'x'],
    ['a*b*c', 'aXbYbZc'], ['', ''],
  ] as const; // biome-ignore format: pairs
  for (const [pattern, text] of pairs) assert.ok(matchesGlob(pattern, text), `${pattern} ${text}`);
});

test('other characters in a pattern are literal', () => {
  const pairs = [
    ['a*c', 'abd'], ['?', ''], ['a.c', 'abc'], ['[ab]', 'a'], ['a', 'ab'], ['a', ''], ['(a|b)', 'a'], ['A', 'a'],
  ] as const; // biome-ignore format: pairs
  for (const [pattern, text] of pairs) assert.ok(!matchesGlob(pattern, text), `${pattern} ${text}`);
});

test('a wildcard does not match its stop characters', () => {
  assert.ok(matchesGlob('/usr/bin/*', '/usr/bin/make', '/'));
  assert.ok(!matchesGlob('/usr/bin/*', '/usr/bin/x/make', '/'));
  assert.ok(!matchesGlob('a?b', 'a/b', '/'));
});

test('no pattern takes long, however many * it contains', () => {
  assert.ok(!matchesGlob('*a*a*a*a*a*a*a*a*b', 'a'.repeat(20_000)));
});
