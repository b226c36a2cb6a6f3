// Expressions that are matched in linear time say what JavaScript's own engine says, and cannot be made slow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linearPattern } from '../../src/text/linear-pattern.ts';

const matches = (source: string, text: string): boolean | undefined => linearPattern(source)?.test(text);

const anExpression = fc.letrec<{ all: string; part: string }>((tie) => ({
  all: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '.', '\\d', '\\w', '\\.', '[ab]', '[^a]', '[a-c]', '\\s', 'é', '-'),
    tie('all').map((inside) => `(${inside})`),
    fc.tuple(tie('all'), tie('all')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('all'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,1}', '*?')).map(([a, n]) => `(${a})${n}`),
  ),
})).all;

test('a complete text matches exactly if JavaScript agrees', () => {
  const aText = fc.array(fc.constantFrom('a', 'b', 'c', '1', '.', ' ', 'é', '-', '🦊'), { maxLength: 8 });
  fc.assert(
    fc.property(anExpression, aText, (source, letters) => {
      const text = letters.join('');
      assert.equal(matches(source, text), new RegExp(`^(?:${source})$`, 'u').test(text), `${source} ~ ${text}`);
    }),
    { numRuns: 3000 },
  );
});

test('a pattern that makes other engines backtrack is matched quickly', () => {
  const long = `${'a'.repeat(50_000)}!`;
  for (const source of ['(a+)+', '(a|a)*', '(a*)*', '(a|aa)+', '([a-z]+)*', '(a?){50}a{50}', '(.*a){400}'])
    assert.equal(matches(source, long), false, source);
});

test('the more states a pattern has, the shorter its texts must be', () => {
  assert.ok((linearPattern('[a-z]+')?.longest ?? 0) > 128 * 1024);
  const { longest = 0, test: fits = () => false } = linearPattern('(.*a){400}') ?? {};
  assert.ok(longest > 400 && longest < 10_000, String(longest));
  assert.deepEqual([longest, longest + 1].map((n) => fits('a'.repeat(n))), [true, false]); // biome-ignore format: one line
});

test('an invalid pattern, or one without a linear-time match, is rejected', () => {
  for (const source of [
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '\\bword',
    '(a',
    'a)',
    '[a',
    '*',
    'a**',
    'a{5,2}',
    '(?<n>a)',
    '\\p{L}',
  ])
    assert.equal(linearPattern(source), null, source);
  assert.equal(linearPattern('(a{900}){900}'), null, 'too large');
});

test('anchors at the ends have no effect', () => {
  assert.equal(matches('^[a-z]+$', 'abc'), true);
  assert.equal(matches('^[a-z]+$', 'abc\n'), false);
});
