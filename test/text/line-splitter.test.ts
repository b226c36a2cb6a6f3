import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineSplitter } from '../../src/text/line-splitter.ts';

test('lines may end as on any system, and the last line end is optional', () => {
  assert.deepEqual(linesOf('a\nb\r\nc\rd\u2028e\u2029f'), ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual(linesOf('a\n'), ['a']);
  assert.deepEqual(linesOf('a\r'), ['a']);
  assert.deepEqual(linesOf('\n\r\n\r'), ['', '', '']);
  assert.deepEqual(linesOf(''), []);
});

test('chunk boundaries do not matter', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n', '\u2028')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(20)), (whole, cuts) => {
      const places = [0, ...cuts.map((at) => Math.min(at, whole.length)).sort((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((to, i) => whole.slice(places[i], to));
      assert.deepEqual(linesOf(...pieces), linesOf(whole));
    }),
  );
});

function linesOf(...pieces: readonly string[]): string[] {
  const splitter = new LineSplitter();
  return [...pieces.flatMap((piece) => splitter.add(piece)), ...splitter.end('')];
}
