// Which jobs may run under limits, and how a rate is kept with one stored time.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  afterStarts,
  type Candidate,
  choose,
  queueRoom,
  type QueueLimit,
  type Room,
  rateOpensAt,
  sizesWithin,
  UNLIMITED,
} from '../../src/job/flow/concurrency.ts';

const candidate = (seq: number, more: Partial<Candidate> = {}): Candidate => ({
  seq,
  queue: 'default',
  weight: 1,
  memoryBytes: 0,
  gates: [],
  waitsAt: null,
  ...more,
});

const room = (more: Partial<Room> = {}): Room => ({
  freeSlots: 10,
  freeBytes: 100,
  bytes: 100,
  slots: 10,
  jobs: Number.POSITIVE_INFINITY,
  queues: new Map(),
  gates: new Map(),
  ...more,
});

const seqs = (chosen: readonly { seq: number }[]): number[] => chosen.map(({ seq }) => seq);

describe('a claim', () => {
  test('takes the best jobs while there are slots', () => {
    assert.deepEqual(
      seqs(
        choose(
          [1, 2, 3].map((n) => candidate(n)),
          room({ freeSlots: 2 }),
        ).taken,
      ),
      [1, 2],
    );
  });

  test('skips a full or paused queue', () => {
    const queues = new Map([['mail', 1]]);
    const all = [1, 2, 3].map((n) => candidate(n, { queue: n < 3 ? 'mail' : 'other' }));
    assert.deepEqual(seqs(choose(all, room({ queues })).taken), [1, 3]);
  });

  test('sets jobs aside whose limit is reached, and counts those it takes', () => {
    const { taken, setAside } = choose(
      [1, 2].map((n) => candidate(n, { gates: [{ name: 'key:k', limit: 1 }] })),
      room({}),
    );
    assert.deepEqual(seqs(taken), [1]);
    assert.deepEqual(setAside, [{ seq: 2, at: 'key:k' }]);
  });

  test("follows the strictest limit of a key: the job's own or that of a running one", () => {
    const limited = (n: number, limit: number) => candidate(n, { gates: [{ name: 'key:k', limit }] });
    const beside = (running: number, strictest: number, limit: number): number[] =>
      seqs(choose([limited(1, limit)], room({ gates: new Map([['key:k', { running, strictest }]]) })).taken);
    assert.deepEqual(beside(1, 3, 1), []);
    assert.deepEqual(beside(1, 1, 3), []);
    assert.deepEqual(beside(1, 3, 2), [1]);
    assert.deepEqual(seqs(choose([limited(1, 1), limited(2, 3)], room({})).taken), [1]);
    assert.deepEqual(seqs(choose([limited(1, 3), limited(2, 1), limited(3, 3)], room({})).taken), [1, 3]);
  });

  test('sets jobs that are too large for the whole worker aside by their size', () => {
    const { taken, tooLarge } = choose(
      [candidate(1, { weight: 20 }), candidate(2, { memoryBytes: 101 }), candidate(3)],
      room({ slots: 8, bytes: 100 }),
    );
    assert.deepEqual(seqs(taken), [3]);
    assert.deepEqual(tooLarge, [
      { seq: 1, at: 'slots:000000020' },
      { seq: 2, at: 'memory:000000000000101' },
    ]);
  });

  test('finds the sizes that fit a worker in a range of names', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e9), (bytes, most) => {
        const { tooLarge } = choose([candidate(1, { memoryBytes: bytes + 1 })], room({ bytes: 0 }));
        const [[above, upTo] = ['', '']] = sizesWithin({ slots: 1, freeBytes: most });
        const name = tooLarge[0]?.at ?? '';
        assert.equal(name > above && name <= upTo, bytes + 1 <= most);
      }),
    );
  });

  test('waits for a heavy job, but not for one that the worker can never run', () => {
    const heavy = [candidate(1, { weight: 20 }), candidate(2, { weight: 4 }), candidate(3)];
    assert.deepEqual(seqs(choose(heavy, room({ freeSlots: 3 })).taken), []);
    assert.deepEqual(seqs(choose(heavy, room({ freeSlots: 5 })).taken), [2, 3]);
  });

  test('exceeds no limit, whatever is requested', () => {
    const aCandidate = fc.record({
      seq: fc.nat(),
      queue: fc.constantFrom('a', 'b'),
      weight: fc.integer({ min: 1, max: 4 }),
      memoryBytes: fc.constant(0),
      waitsAt: fc.constant(null),
      gates: fc
        .subarray(['key:k', 'group:g'])
        .chain((names) => fc.nat(3).map((limit) => names.map((name) => ({ name, limit })))),
    });
    fc.assert(
      fc.property(fc.array(aCandidate), fc.nat(6), fc.nat(3), (all, slots, mail) => {
        const limits = room({
          freeSlots: slots,
          freeBytes: 100,
          bytes: 100,
          queues: new Map([['a', mail]]),
        });
        const { taken } = choose(all, limits);
        assert.ok(taken.reduce((sum, { weight }) => sum + weight, 0) <= slots);
        assert.ok(taken.filter(({ queue }) => queue === 'a').length <= mail);
        const keyed = taken.flatMap(({ gates }) => gates.filter(({ name }) => name === 'key:k'));
        for (const { limit } of keyed) assert.ok(keyed.length <= limit);
      }),
    );
  });
});

describe('a rate', () => {
  const limit = (more: Partial<QueueLimit>): QueueLimit => ({ ...UNLIMITED, queue: 'q', ...more });

  test('is never exceeded over any period, apart from its burst', () => {
    const aCase = fc.record({
      perSecond: fc.constantFrom(0.1, 1, 3, 7, 50),
      burst: fc.constantFrom(null, 1, 2, 5),
      waits: fc.array(fc.nat(2000), { minLength: 1, maxLength: 60 }),
    });
    fc.assert(
      fc.property(aCase, ({ perSecond, burst, waits }) => {
        const starts: number[] = [];
        let [state, now] = [limit({ ratePerSecond: perSecond, burst }), 1_000_000];
        for (const wait of waits) {
          now += wait;
          const n = queueRoom(state, 0, now);
          starts.push(...Array(n).fill(now));
          state = { ...state, notBefore: n > 0 ? afterStarts(state, n, now) : state.notBefore };
        }
        for (let i = 0; i < starts.length; i++) {
          for (let j = i; j < starts.length; j++) {
            const allowed = (((starts[j] ?? 0) - (starts[i] ?? 0) + 1) / 1000) * perSecond + (burst ?? 1);
            assert.ok(j - i + 1 <= allowed + 1e-6, `${j - i + 1} starts, ${allowed} allowed`);
          }
        }
      }),
    );
  });

  test('starts one job immediately after a clock was ahead, and continues at the rate', () => {
    let ahead = limit({ ratePerSecond: 2, burst: 3, notBefore: 3_600_000 });
    assert.equal(rateOpensAt(ahead, 1000), null);
    const starts: number[] = [];
    for (let now = 1000; now <= 3000; now += 100) {
      const room = queueRoom(ahead, 0, now);
      if (room > 0) ahead = { ...ahead, notBefore: afterStarts(ahead, room, now) };
      starts.push(...Array(room).fill(now));
    }
    assert.deepEqual(starts, [1000, 1500, 2000, 2500, 3000]);
  });

  test('waits for a time slightly too far ahead, as after a delayed turn', () => {
    const waited = limit({ ratePerSecond: 2, burst: 3, notBefore: 1000 + 1500 + 5000 });
    assert.equal(queueRoom(waited, 0, 1000), 0);
    assert.equal(rateOpensAt(waited, 1000), 1000 + 5000 + 500);
  });

  test('reports when the next job may start, and then it may', () => {
    const fresh = limit({ ratePerSecond: 3, burst: 2 });
    assert.equal(rateOpensAt(fresh, 1000), null);
    const used = { ...fresh, notBefore: afterStarts(fresh, 2, 1000) };
    assert.equal(queueRoom(used, 0, 1000), 0);
    const opens = rateOpensAt(used, 1000) ?? assert.fail('it is used up');
    assert.equal(queueRoom(used, 0, opens - 1), 0);
    assert.equal(queueRoom(used, 0, opens), 1);
  });
});
