// Tables and text in terminal columns: what gives way, what is cut, and how wide characters are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../src/cli/render/kit/command-line.ts';
import { age, bytes, count, duration, fromNow, many } from '../../src/cli/render/kit/human.ts';
import { styleFor } from '../../src/cli/render/kit/style.ts';
import { type Column, table } from '../../src/cli/render/kit/table.ts';
import { cut, flow, oneLine, visibleWidth, words } from '../../src/cli/render/kit/text.ts';

const columns: Column[] = [
  { title: 'id' },
  { title: 'command', gives: true },
  { title: 'attempts', align: 'right' },
  { title: 'last error', gives: true, spare: 1 },
];

const rows = [
  ['k3f9', 'make thumbnails', '2 of 4', ''],
  ['a-rather-long-id', `echo ${'word '.repeat(30)}`, '1 of 1', 'exit code 2: convert: no such file or directory'],
  ['wide', '漢字'.repeat(20), '10 of 12', '🦊 ran away'],
];

const widthsOf = (text: string): number[] => text.split('\n').map(visibleWidth);

test('a table without a width is aligned and complete', () => {
  const text = table(columns, rows, null);
  assert.ok(text.includes(rows[1]?.[1]?.trimEnd() ?? ''));
  const [head = ''] = text.split('\n');
  for (const [i, line] of text.split('\n').slice(1).entries()) {
    const column = visibleWidth(line.slice(0, line.indexOf(rows[i]?.[1]?.slice(0, 4) ?? '')));
    assert.equal(column, head.indexOf('command'), line);
  }
});

test('a table fits 60 columns by cutting commands and dropping columns, never IDs', () => {
  const text = table(columns, rows, 60);
  assert.ok(Math.max(...widthsOf(text)) <= 60, text);
  for (const [id = '', , attempts = ''] of rows) assert.match(text, new RegExp(`^${id} .*${attempts}`, 'm'));
  assert.match(text, /^a-rather-long-id +echo .*…/m);
  assert.match(text, /^wide +(漢字)+漢?…/m);
});

test('a table that cannot fit still keeps its IDs complete', () => {
  const text = table(columns, rows, 20);
  assert.match(text, /^a-rather-long-id /m);
  assert.doesNotMatch(text, /last error/);
});

test('a column that wraps continues in the next line', () => {
  const text = table([{ title: 'key' }, { title: 'meaning', wraps: true }], [['a', 'one two three four five six']], 20);
  assert.ok(Math.max(...widthsOf(text)) <= 20, text);
  assert.equal(text.replace(/\s+/g, ' '), 'key meaning a one two three four five six');
});

test('numbers are aligned to the right', () => {
  assert.equal(table([{ title: 'n', align: 'right' }], [['1'], ['1,204']], null), '    n\n    1\n1,204');
});

test('colours take no width', () => {
  const style = styleFor(true);
  const painted = table([{ title: 'a' }, { title: 'b' }], [[style.bad('dead'), 'x']], 60, style);
  const plain = table([{ title: 'a' }, { title: 'b' }], [['dead', 'x']], 60);
  assert.deepEqual(widthsOf(painted), widthsOf(plain));
  assert.equal(styleFor(false).bad('dead'), 'dead');
});

const widths: [string, number][] = [
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['漢字', 4],
  ['ｆｕｌｌ', 8],
  ['한글', 4],
  ['🦊', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['❤️', 2],
  ['🇩🇪', 2],
  ['\u001b[31mred\u001b[39m', 3],
];

for (const [text, width] of widths) {
  test(`${JSON.stringify(text)} is ${width} columns wide`, () => assert.equal(visibleWidth(text), width));
}

test('cutting never splits a character and never exceeds the width', () => {
  assert.equal(cut('abcdef', 6), 'abcdef');
  assert.equal(cut('abcdefg', 6), 'abcde…');
  assert.equal(cut('漢字漢字', 6), '漢字…');
  assert.equal(cut('漢字漢字', 7), '漢字漢…');
  assert.equal(cut('🦊🦊🦊', 4), '🦊…');
  assert.equal(cut('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3), '👨‍👩‍👧‍👦…');
  for (let width = 1; width < 20; width++) assert.ok(visibleWidth(cut('a漢🦊 e\u0301x'.repeat(5), width)) <= width);
});

test('any text becomes one line that cannot move the cursor', () => {
  assert.equal(oneLine('a\nb\r\nc\td'), 'a⏎b⏎c d');
  assert.equal(oneLine('\u001b[31mred\u0007\u202e'), '\u{fffd}[31mred\u{fffd}\u{fffd}');
});

test('long words are broken only when they are wider than a line', () => {
  assert.deepEqual(words('one two three', 7), ['one two', 'three']);
  assert.deepEqual(words('abcdefgh ij', 4), ['abcd', 'efgh', 'ij']);
  assert.equal(flow(['one', 'two', 'three'], 10), 'one · two\nthree');
  assert.equal(flow(['one', 'two', 'three'], null, '  '), '  one · two · three');
});

test('numbers are formatted for reading', () => {
  assert.deepEqual([0, 7, 1204, 1_000_000].map(count), ['0', '7', '1,204', '1,000,000']);
  assert.deepEqual([many(1, 'job'), many(0, 'job'), many(1204, 'job')], ['1 job', '0 jobs', '1,204 jobs']);
  assert.deepEqual([0, 50, 200, 38_000, 240_000, 7_500_000, 259_200_000].map(duration), [
    '0 s',
    '50 ms',
    '0.2 s',
    '38 s',
    '4 min',
    '2 h 5 min',
    '3 d',
  ]);
  assert.deepEqual([400, 4_000, 7_500_000].map(age), ['0 s', '4 s', '2 h 5 min']);
  assert.deepEqual(
    [fromNow(null, 0), fromNow(0, 500), fromNow(38_000, 0), fromNow(0, 240_000)],
    ['', 'now', 'in 38 s', '4 min ago'],
  );
  assert.deepEqual([0, 1023, 1536, 10 * 1024 * 1024].map(bytes), ['0 bytes', '1023 bytes', '1.5 KiB', '10.0 MiB']);
});

test('an argument list is printed so that it can be typed', () => {
  assert.equal(
    commandLine(['convert', 'my photo.png', "it's", '', '--x=1']),
    "convert 'my photo.png' 'it'\\''s' '' --x=1",
  );
  assert.equal(commandLine('echo  a\necho b'), 'echo  a⏎echo b');
});
