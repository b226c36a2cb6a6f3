// What is recorded of an output: as text and back, and what is kept of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keptParts, NO_OUTPUT, NO_OUTPUT_TEXT, recordOf, recordText } from '../../src/job/output/output.ts';
import { type Stamp, Stamps, stampsOf, type Stream, textOfStamps } from '../../src/job/output/output-stamps.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const steps = fc.array(fc.tuple(fc.nat(5_000_000), fc.nat(10_000_000), fc.constantFrom<Stream>(0, 1, 2)));
const aStampList = steps.map((list) => {
  let [at, ms] = [0, T0];
  return list.map(([bytes, later, stream]): Stamp => {
    const stamp = { at, ms, stream };
    [at, ms] = [at + bytes + 1, ms + later];
    return stamp;
  });
});

test('a record is equal after it is read again', () => {
  const number = fc.nat(2 ** 40);
  fc.assert(
    fc.property(number, number, number, number, number, aStampList, (bytes, head, tail, headAt, tailAt, stamps) => {
      const record = { bytes, head, tail, headAt, tailAt, stamps };
      assert.deepEqual(recordOf(recordText(record)), record);
    }),
  );
});

test('an attempt without output has a record of two bytes, and an older attempt has none', () => {
  assert.equal(recordText(NO_OUTPUT), NO_OUTPUT_TEXT);
  assert.deepEqual(recordOf(NO_OUTPUT_TEXT), NO_OUTPUT);
  assert.equal(recordOf(null), null);
});

test('timestamps can be stored in parts', () => {
  fc.assert(
    fc.property(aStampList, fc.nat(20), (stamps, cut) => {
      const parts = [textOfStamps(stamps.slice(0, cut)), textOfStamps(stamps, cut)];
      assert.deepEqual(stampsOf(parts.join(' ')), stamps);
    }),
  );
});

test('within the limit all output is kept, beyond it half of the limit from both ends', () => {
  const whole = (bytes: number) => ({ head: bytes, tailFrom: bytes, bytes });
  assert.deepEqual(keptParts(whole(100), 100), { head: 100, tail: 0 });
  assert.deepEqual(keptParts(whole(101), 100), { head: 50, tail: 50 });
  assert.deepEqual(keptParts({ head: 50, tailFrom: 50, bytes: 90 }, 100), { head: 90, tail: 0 });
  assert.deepEqual(keptParts({ head: 50, tailFrom: 400, bytes: 500 }, 100), { head: 50, tail: 50 });
  assert.deepEqual(keptParts({ head: 20, tailFrom: 480, bytes: 500 }, 100), { head: 20, tail: 20 });
});

test('output of one moment has one timestamp, and another stream its own', () => {
  const stamps = new Stamps();
  for (const [at, ms, stream] of [
    [0, T0, 1],
    [5, T0, 1],
    [9, T0, 2],
    [12, T0 + 5, 2],
  ] as const)
    stamps.add({ at, ms, stream });
  assert.deepEqual(
    stamps.all.map(({ at }) => at),
    [0, 9, 12],
  );
});

test('a clock that is set back does not decrease timestamps', () => {
  const stamps = new Stamps();
  stamps.add({ at: 0, ms: T0, stream: 1 });
  stamps.add({ at: 1, ms: T0 - 5000, stream: 2 });
  assert.deepEqual(stampsOf(textOfStamps(stamps.all)), stamps.all);
});

test('any amount of output has few timestamps, and none is off by more than a small share of the run', () => {
  const stamps = new Stamps();
  const hours = 24 * 60 * 60;
  for (let second = 0; second < hours; second++) stamps.add({ at: second, ms: T0 + second * 1000, stream: 0 });
  assert.ok(stamps.all.length <= 16_384 && stamps.all.length > 4096, `${stamps.all.length} stamps`);
  const gaps = stamps.all.map(({ ms }, i) => ms - (stamps.all[i - 1]?.ms ?? T0));
  assert.ok(Math.max(...gaps) <= 20_000, `${Math.max(...gaps)} ms`);
});
