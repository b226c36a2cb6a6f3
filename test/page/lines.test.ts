import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lines } from '../../page/screens/job/log/lines.ts';

function linesOf(...texts: string[]): Lines {
  const lines = new Lines();
  for (const text of texts) lines.add(text);
  return lines;
}

const allOf = (lines: Lines): string[] => Array.from({ length: lines.count }, (_, i) => lines.plain(i));

test('text in pieces becomes the same lines as the whole text', () => {
  const text = 'one\ntwo \u001b[31mred\u001b[0m\nthree';
  const inPieces = linesOf(...text);
  assert.deepEqual(allOf(inPieces), ['one', 'two red', 'three']);
  assert.deepEqual(allOf(inPieces), allOf(linesOf(text)));
});

test('colours continue on the next line until they are reset', () => {
  const lines = linesOf('\u001b[1m\u001b[31mred\nstill\u001b[0m\nplain\n');
  assert.deepEqual(
    [0, 1, 2].map((i) => lines.at(i).colours),
    ['', '\u001b[1m\u001b[31m', ''],
  );
});

test('links, titles, cursor moves and control characters are removed, and colours stay', () => {
  const link = '\u001b]8;;https://example.org\u0007text\u001b]8;;\u0007';
  const lines = linesOf(
    `${link}\n\u001b]0;title\u001b\\a\u001b[2Kb\u001b[10;3Hc\u0000\u0007\n\u001b[32mgreen\u001b[m\n`,
  );
  assert.deepEqual(allOf(lines), ['text', 'abc', 'green']);
  assert.equal(lines.at(2).text, '\u001b[32mgreen\u001b[m');
});

test('an overwritten line shows its final text', () => {
  assert.deepEqual(allOf(linesOf('10 %\r50 %\r100 %\ndone\r\n')), ['100 %', 'done']);
});

test('the search ignores case and colours', () => {
  const lines = linesOf('all well\nan \u001b[31mERR\u001b[0mor\nan error\n');
  assert.deepEqual(lines.find('error'), [1, 2]);
  assert.deepEqual(lines.find(''), []);
});

test('lines after a missing part have relative numbers and are found by them', () => {
  const lines = linesOf('one\ntwo\nhal');
  lines.skip(1000);
  lines.add('f\nlast\n');
  assert.deepEqual(
    Array.from({ length: lines.count }, (_, i) => lines.at(i).missing ?? `${lines.label(i)} ${lines.plain(i)}`),
    ['1 one', '2 two', '3 hal', 1000, '+1 f', '+2 last'],
  );
  assert.deepEqual(
    ['1', '3', '4', '+2', '+3', '9', ''].map((label) => lines.indexOf(label)),
    [0, 2, -1, 5, -1, -1, -1],
  );
  assert.deepEqual([lines.textCount, lines.isComplete], [5, false]);
  assert.deepEqual(lines.missing, { bytes: 1000, at: 3 });
  assert.equal(linesOf('one\n').missing, null);
});
