// Output as text in pieces: the pieces say what the whole would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beginningOf, completeLength } from '../../../src/server/live/text-chunk.ts';
import { aCharacter } from '../../support/random-jobs.ts';

/** As a client puts it together that is given so many bytes at a time. */
function inPieces(data: Buffer, bytes: number): string {
  let [text, at] = ['', 0];
  while (at < data.length) {
    const piece = data.subarray(at, at + bytes);
    const length = at + bytes >= data.length ? piece.length : completeLength(piece) || piece.length;
    text += piece.toString('utf8', 0, length);
    at += length;
  }
  return text;
}

test('text in chunks of any size equals the written text', () => {
  fc.assert(
    fc.property(fc.string({ unit: aCharacter }), fc.integer({ min: 4, max: 9 }), (text, bytes) => {
      assert.equal(inPieces(Buffer.from(text), bytes), Buffer.from(text).toString());
    }),
  );
});

test('invalid UTF-8 does not stop the stream', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 64 }), (data) => {
      const held = data.length - completeLength(data);
      assert.ok(held >= 0 && held < 4);
    }),
  );
});

test('reading from the middle starts at a line, or at least at a character', () => {
  const begin = (text: string, skip: number): string => {
    const data = Buffer.from(text).subarray(skip);
    return data.subarray(beginningOf(data)).toString();
  };
  assert.equal(begin('first\nsecond\n', 2), 'second\n');
  assert.equal(begin('ééé', 1), 'éé');
  assert.equal(begin('abc\n', 1), 'bc\n');
  assert.equal(begin('', 0), '');
});
