// What is recorded of an output: as text and back, and what is kept of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keptParts, NO_OUTPUT, NO_OUTPUT_TEXT, recordOf, recordText } from '../../src/job/output.ts';
import { type Mark, Marks, marksOf, type Stream, textOfMarks } from '../../src/job/output-marks.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const steps = fc.array(fc.tuple(fc.nat(5_000_000), fc.nat(10_000_000), fc.constantFrom<Stream>(0, 1, 2)));
const aMarkList = steps.map((list) => {
  let [at, ms] = [0, T0];
  return list.map(([bytes, later, stream]): Mark => {
    const mark = { at, ms, stream };
    [at, ms] = [at + bytes + 1, ms + later];
    return mark;
  });
});

test('a record says the same when it is read again', () => {
  const number = fc.nat(2 ** 40);
  fc.assert(
    fc.property(
      number,
      number,
      number,
      number,
      number,
      aMarkList,
      (bytes, head, tail, headAt, tailAt, marks) => {
        const record = { bytes, head, tail, headAt, tailAt, marks };
        assert.deepEqual(recordOf(recordText(record)), record);
      },
    ),
  );
});

test('an attempt without output has a record of two bytes, and one of before has none', () => {
  assert.equal(recordText(NO_OUTPUT), NO_OUTPUT_TEXT);
  assert.deepEqual(recordOf(NO_OUTPUT_TEXT), NO_OUTPUT);
  assert.equal(recordOf(null), null);
});

test('marks can be written down in parts', () => {
  fc.assert(
    fc.property(aMarkList, fc.nat(20), (marks, cut) => {
      const parts = [textOfMarks(marks.slice(0, cut)), textOfMarks(marks, cut)];
      assert.deepEqual(marksOf(parts.join(' ')), marks);
    }),
  );
});

test('within the limit all is kept, beyond it half of the limit from either end', () => {
  const whole = (bytes: number) => ({ head: bytes, tailFrom: bytes, bytes });
  assert.deepEqual(keptParts(whole(100), 100), { head: 100, tail: 0 });
  assert.deepEqual(keptParts(whole(101), 100), { head: 50, tail: 50 });
  assert.deepEqual(keptParts({ head: 50, tailFrom: 50, bytes: 90 }, 100), { head: 90, tail: 0 });
  assert.deepEqual(keptParts({ head: 50, tailFrom: 400, bytes: 500 }, 100), { head: 50, tail: 50 });
  assert.deepEqual(keptParts({ head: 20, tailFrom: 480, bytes: 500 }, 100), { head: 20, tail: 20 });
});

test('what comes at one time has one mark, and another stream its own', () => {
  const marks = new Marks();
  for (const [at, ms, stream] of [
    [0, T0, 1],
    [5, T0, 1],
    [9, T0, 2],
    [12, T0 + 5, 2],
  ] as const)
    marks.add({ at, ms, stream });
  assert.deepEqual(
    marks.all.map(({ at }) => at),
    [0, 9, 12],
  );
});

test('a clock that is set back does not turn time back', () => {
  const marks = new Marks();
  marks.add({ at: 0, ms: T0, stream: 1 });
  marks.add({ at: 1, ms: T0 - 5000, stream: 2 });
  assert.deepEqual(marksOf(textOfMarks(marks.all)), marks.all);
});

test('however much is written, the marks stay few, and no time is off by more than a small part of the whole', () => {
  const marks = new Marks();
  const hours = 24 * 60 * 60;
  for (let second = 0; second < hours; second++) marks.add({ at: second, ms: T0 + second * 1000, stream: 0 });
  assert.ok(marks.all.length <= 16_384 && marks.all.length > 4096, `${marks.all.length} marks`);
  const gaps = marks.all.map(({ ms }, i) => ms - (marks.all[i - 1]?.ms ?? T0));
  assert.ok(Math.max(...gaps) <= 20_000, `${Math.max(...gaps)} ms`);
});
