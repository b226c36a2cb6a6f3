// What counts as progress, and how much of it is kept.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { noteOf, progressIn, progressOf, progressText } from '../../src/job/output/progress.ts';

suite('progress', () => {
  test('is a number from 0 to 100, with or without a percent sign', () => {
    for (const [said, percent] of [
      ['0', 0],
      ['40', 40],
      ['40%', 40],
      ['99.9', 99],
      ['100', 100],
      ['100.0%', 100],
    ] as const)
      assert.equal(progressOf(said, '')?.percent, percent, said);
  });

  test('any other text is not progress', () => {
    for (const said of ['400', '100.1', '-1', '', 'x', '4e1', '1,5', ' 4', '%', 'NaN', '1e999', '0x10'])
      assert.equal(progressOf(said, ''), null, said);
  });

  test('a note is one line of at most 200 characters without control characters', () => {
    assert.equal(noteOf('a\nb\u001b[31m\0c'), 'a b [31m c');
    assert.equal(noteOf('🦊'.repeat(300)), '🦊'.repeat(200));
    assert.equal(noteOf(' \t '), null);
    assert.equal(noteOf('half \ud800'), 'half \u{FFFD}');
  });

  test('is read back as written', () => {
    for (const progress of [
      { percent: 0, note: null },
      { percent: 40, note: 'resizing 3 of 7' },
      { percent: 100, note: '50 left' },
    ])
      assert.deepEqual(progressIn(progressText(progress)), progress);
  });
});
