// From what was counted to buckets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Bucket,
  type Counted,
  fold,
  KEPT_MS,
  OTHER_QUEUES,
  QUEUES_AT_MOST,
  STEP_MS,
  STEPS,
  spansOf,
} from '../../src/series/fold.ts';
import { Tallies } from '../../src/series/tallies.ts';
import { sumOfTallies } from '../../src/series/tally.ts';

const T0 = Date.UTC(2026, 10, 16, 22, 59, 30);
const came = (queue: string, at = T0, jobs = 1): Counted => ({
  at,
  queue,
  tally: { jobs: { enqueued: jobs } },
});
const enqueuedIn = (buckets: readonly Bucket[], kind: string, queue: string): [number, number | undefined][] =>
  buckets.filter((one) => one.kind === kind && one.queue === queue).map(({ at, tally }) => [at, tally.jobs?.enqueued]);

/** As a store does it: all buckets of the spans are read, the changed ones replaced. */
function storeAll(stored: ReadonlyMap<string, Bucket>, counted: readonly Counted[]): Map<string, Bucket> {
  const spans = new Set(spansOf(counted).map(({ kind, at }) => `${kind} ${at}`));
  const there = [...stored.values()].filter(({ kind, at }) => spans.has(`${kind} ${at}`));
  const changed = fold(there, counted).map((one): [string, Bucket] => [`${one.kind} ${one.queue} ${one.at}`, one]);
  return new Map([...stored, ...changed]);
}

test('counts go to their minute, hour and day, of their queue and in total', () => {
  const buckets = fold([], [came('mail'), came('mail', T0 + 60_000), came('web')]);
  const [minute, hour, day] = [Date.UTC(2026, 10, 16, 22, 59), Date.UTC(2026, 10, 16, 22), Date.UTC(2026, 10, 16)];
  assert.deepEqual(enqueuedIn(buckets, 'minute', 'mail'), [
    [minute, 1],
    [minute + 60_000, 1],
  ]);
  assert.deepEqual(enqueuedIn(buckets, 'minute', '*'), [
    [minute, 2],
    [minute + 60_000, 1],
  ]);
  assert.deepEqual(enqueuedIn(buckets, 'hour', '*'), [
    [hour, 2],
    [hour + 3_600_000, 1],
  ]);
  assert.deepEqual(enqueuedIn(buckets, 'day', '*'), [[day, 3]]);
  assert.deepEqual(enqueuedIn(buckets, 'total', 'mail'), [[0, 2]]);
  assert.deepEqual(enqueuedIn(buckets, 'total', '*'), [[0, 3]]);
});

test('folding in many small parts equals folding at once, and does not modify its input', () => {
  const one = fc.record({
    at: fc.integer({ min: T0, max: T0 + 3 * 86_400_000 }),
    queue: fc.constantFrom('a', 'b', 'c'),
    tally: fc.record({
      jobs: fc.record({ enqueued: fc.nat(9) }),
      run: fc.constant({ sum: 7, in: { 7: 1 } }),
    }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(one, { minLength: 1 }), { minLength: 1 }), (parts) => {
      const before = JSON.stringify(parts);
      const inParts = parts.reduce((stored, part) => storeAll(stored, part), new Map<string, Bucket>());
      const atOnce = storeAll(new Map(), parts.flat());
      const sorted = (stored: Map<string, Bucket>) => [...stored].sort(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(sorted(inParts), sorted(atOnce));
      assert.equal(JSON.stringify(parts), before);
    }),
  );
});

test('beyond a hundred queues in a bucket the others are counted together, and nothing is lost', () => {
  const names = Array.from({ length: QUEUES_AT_MOST + 20 }, (_, i) => `q${i}`);
  const first = storeAll(
    new Map(),
    names.slice(0, QUEUES_AT_MOST - 1).map((name) => came(name)),
  );
  const stored = storeAll(
    first,
    names.map((name) => came(name)),
  );
  const totals = [...stored.values()].filter(({ kind }) => kind === 'total');
  assert.equal(totals.length, QUEUES_AT_MOST + 2, 'with all and the others');
  assert.deepEqual(enqueuedIn(totals, 'total', OTHER_QUEUES), [[0, 20]]);
  assert.deepEqual(enqueuedIn(totals, 'total', '*'), [[0, QUEUES_AT_MOST - 1 + names.length]]);
});

test('the next bucket has room for other queues', () => {
  const names = Array.from({ length: QUEUES_AT_MOST + 1 }, (_, i) => `q${i}`);
  const stored = storeAll(
    storeAll(
      new Map(),
      names.map((name) => came(name)),
    ),
    [came('new', T0 + 60_000)],
  );
  assert.equal(enqueuedIn([...stored.values()], 'minute', 'new').length, 1);
});

test('a queue has few buckets, however long it exists', () => {
  assert.ok(STEPS.every((step) => KEPT_MS[step] / STEP_MS[step] <= 3000));
});

test('an attempt counts by its outcome, its job by its result, and its time if that is meaningful', () => {
  const tallies = new Tallies();
  tallies.started('q', 40);
  tallies.ended('q', 'failed', 'failed', 12);
  tallies.ended('q', 'timeout', 'dead', 900);
  tallies.ended('q', 'worker_lost', 'pending', 5000);
  tallies.ended('q', 'cancelled', 'cancelled', 6000);
  tallies.enqueued('q', 3).cancelled('q').enqueued('empty', 0);
  const [[queue, text = ''] = [], ...others] = tallies.texts();
  assert.deepEqual(
    [queue, JSON.parse(text), others],
    [
      'q',
      {
        started: 1,
        wait: { sum: 40, in: { 50: 1 } },
        attempts: { failed: 1, timeout: 1, worker_lost: 1, cancelled: 1 },
        run: { sum: 912, in: { 15: 1, 1000: 1 } },
        jobs: { dead: 1, cancelled: 2, enqueued: 3 },
      },
      [],
    ],
  );
});

test('tallies add up without modifying each other', () => {
  const one = { started: 1, attempts: { failed: 1 } } as const;
  assert.deepEqual(sumOfTallies([one, one, { jobs: { dead: 1 } }]), {
    started: 2,
    attempts: { failed: 2 },
    jobs: { dead: 1 },
  });
  assert.deepEqual(one, { started: 1, attempts: { failed: 1 } });
});
