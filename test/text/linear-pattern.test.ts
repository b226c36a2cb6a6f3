// Regular expressions that match in linear time agree with those of JavaScript, as far as they go.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linearPattern } from '../../src/text/linear-pattern.ts';

test('a pattern matches what the expression of JavaScript matches as a whole', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\.', 'é', '\\u{1F389}', '^', '$');
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.tuple(tie('node'), tie('node')).map(([one, other]) => `${one}${other}`),
      fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '{0}'))
        .map(([one, times]) => `(${one})${times}`),
    ),
  }));
  const text = fc.array(fc.constantFrom('a', 'b', '1', '.', 'é', '🎉', '\n'), { maxLength: 8 });
  fc.assert(
    fc.property(node, text, (source, characters) => {
      const whole = characters.join('');
      assert.equal(linearPattern(source)(whole), new RegExp(`^(?:${source})$`, 'u').test(whole), source);
    }),
    { numRuns: 1000 },
  );
});

test('usual expressions are read as they are written', () => {
  const cases: [source: string, good: string, bad: string][] = [
    ['[a-z0-9_-]{1,30}', 'a-b_9', 'A'],
    ['\\d{4}-\\d{2}-\\d{2}', '2026-01-31', '2026-1-31'],
    ['(?<name>x)|y|', '', 'xy'],
    ['\\p{L}+(?: \\p{L}+)*', 'Ähm Öl', 'a1'],
    ['[\\]a]+', ']a', 'b'],
    ['v\\d+(?:\\.\\d+){0,2}', 'v1.2.3', 'v1.2.3.4'],
  ];
  for (const [source, good, bad] of cases)
    assert.deepEqual([linearPattern(source)(good), linearPattern(source)(bad)], [true, false], source);
});

test('expressions that make others go back for hours are matched step by step', () => {
  for (const source of ['(a+)+', '(a|a)*', '(a*)*', '(?:a?){30}a{30}'])
    assert.equal(linearPattern(source)(`${'a'.repeat(5000)}!`), false, source);
});

test('constructs that need to go back, and sizes beyond reason, are rejected with a reason', () => {
  for (const source of ['(a)\\1', '(?<x>a)\\k<x>', 'a(?=b)', '(?!a)b', '(?<=a)b', 'a\\b'])
    assert.throws(() => linearPattern(source), /cannot be matched in linear time/, source);
  for (const source of ['(a{100}){100}', 'a{100000}', '(?:){0,100000}', '((a{1,90}){1,90}){1,90}'])
    assert.throws(() => linearPattern(source), /too large/, source);
  assert.throws(() => linearPattern('['), SyntaxError);
});
