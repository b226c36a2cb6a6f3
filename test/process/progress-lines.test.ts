// ::progress lines are found in a job's output whatever the chunk boundaries.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type Progress, progressIn } from '../../src/job/output/progress.ts';
import { ProgressLines } from '../../src/process/output/progress-lines.ts';

/** Returns the progress after these chunks and the end. */
function said(...pieces: readonly string[]): Progress | null {
  const lines = new ProgressLines();
  for (const piece of pieces) lines.add(Buffer.from(piece));
  lines.end();
  return lines.last;
}

suite('progress lines', () => {
  test('the last one counts', () => {
    assert.deepEqual(said('::progress 10 a\ntext\n::progress 40 resizing\nmore\n'), {
      percent: 40,
      note: 'resizing',
    });
  });

  test('the note is optional', () => {
    assert.deepEqual(said('::progress 7\n'), { percent: 7, note: null });
  });

  test('a progress line counts as soon as it is complete', () => {
    const lines = new ProgressLines();
    lines.add(Buffer.from('::progress 7'));
    const before = lines.last;
    lines.add(Buffer.from('5\n'));
    assert.deepEqual([before, lines.last], [null, { percent: 75, note: null }]);
  });

  test('the last line of a job needs no newline', () => {
    assert.deepEqual(said('text\n::progress 100 done'), { percent: 100, note: 'done' });
  });

  test('carriage returns are not part of the note', () => {
    assert.deepEqual(said('::progress 5 a b\r\n::progress 6\r\n'), { percent: 6, note: null });
    assert.deepEqual(said('::progress 5 a b\r\n'), { percent: 5, note: 'a b' });
  });

  test('text before ::progress makes it an ordinary line', () => {
    assert.equal(said('echo ::progress 40\n'), null);
    assert.equal(said('echo ', '::progress 40\n'), null);
    assert.equal(said('x\ny ::progress 40 a\nz\n'), null);
  });

  test('an invalid progress line keeps the previous progress', () => {
    assert.deepEqual(said('::progress 20 a\n::progress 400 b\n::progress\n::progress x\ny\n'), {
      percent: 20,
      note: 'a',
    });
  });

  test('an endless line is not buffered', () => {
    const lines = new ProgressLines();
    lines.add(Buffer.from('::progress 3 '));
    const piece = Buffer.alloc(65_536, 'n');
    for (let i = 0; i < 100; i++) lines.add(piece);
    lines.end();
    assert.deepEqual([lines.last?.percent, lines.last?.note?.length], [3, 200]);
  });

  test('binary output is ignored', () => {
    const lines = new ProgressLines();
    lines.add(Buffer.from([0xff, 0xfe, 10, ...Buffer.from('::progress 9 '), 0xff, 0, 10]));
    assert.deepEqual(lines.last, { percent: 9, note: '\u{FFFD}' });
  });

  test('chunk boundaries do not matter', () => {
    const aLine = fc.constantFrom(
      '::progress 10 a',
      '::progress 99',
      '::progress 101',
      'text',
      ' ::progress 50',
      '',
      '::prog',
    );
    fc.assert(
      fc.property(fc.array(aLine), fc.array(fc.nat(400)), fc.boolean(), (all, cuts, endsInNewline) => {
        const text = all.join('\n') + (endsInNewline ? '\n' : '');
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, i) => text.slice(at[i], end));
        assert.deepEqual(said(...pieces), lastSaid(text));
      }),
    );
  });
});

/** Slow reference implementation. */
function lastSaid(text: string): Progress | null {
  const found = text
    .split('\n')
    .filter((line) => line.startsWith('::progress '))
    .map((line) => progressIn(line.slice('::progress '.length)));
  return found.filter((progress) => progress !== null).at(-1) ?? null;
}
