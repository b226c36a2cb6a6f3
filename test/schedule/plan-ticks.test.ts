// Decisions about due runs: catch-up, overlap, jitter, and the next run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jitterOf } from '../../src/schedule/jitter.ts';
import { pausedTicks, planTicks, type TickRules } from '../../src/schedule/plan-ticks.ts';
import type { NextTime } from '../../src/schedule/timing.ts';

const MINUTE = 60_000;
const everyMinute: NextTime = (after) => Math.floor(after / MINUTE) * MINUTE + MINUTE;
const FIRST = 1_000 * MINUTE;

const RULES: TickRules = {
  name: 'backup',
  jitterMs: 0,
  catchUp: 'one',
  catchUpWindowMs: null,
  catchUpMax: 100,
  overlap: 'allow',
};

function plan(rules: Partial<TickRules>, now: number, unfinished: string[] = [], next = everyMinute) {
  let ids = 0;
  return planTicks({ ...RULES, ...rules }, FIRST, next, now, unfinished, () => `new${++ids}`);
}

const ticksOf = (list: readonly { tick: number }[]): number[] => list.map(({ tick }) => (tick - FIRST) / MINUTE);

test('nothing happens before a run is due', () => {
  const { enqueue, skipped, nextTick, nextAt } = plan({}, FIRST - 1);
  assert.deepEqual([enqueue, skipped, nextTick, nextAt], [[], [], FIRST, FIRST]);
});

test('a due run creates one job and plans the next run', () => {
  const { enqueue, skipped, cancel, nextTick } = plan({}, FIRST + 5);
  assert.deepEqual(enqueue, [{ tick: FIRST, jobId: 'new1', after: [] }]);
  assert.deepEqual([skipped, cancel, nextTick], [[], [], FIRST + MINUTE]);
});

test('catch-up one runs the latest missed run', () => {
  const { enqueue, skipped, nextTick } = plan({ catchUp: 'one' }, FIRST + 3.5 * MINUTE);
  assert.deepEqual(ticksOf(enqueue), [3]);
  assert.deepEqual(ticksOf(skipped), [0, 1, 2]);
  assert.ok(skipped.every(({ reason }) => reason === 'missed'));
  assert.equal(nextTick, FIRST + 4 * MINUTE);
});

test('catch-up all runs every missed run in order', () => {
  const { enqueue, skipped } = plan({ catchUp: 'all' }, FIRST + 3.5 * MINUTE);
  assert.deepEqual([ticksOf(enqueue), ticksOf(skipped)], [[0, 1, 2, 3], []]);
});

test('catch-up all respects its maximum and window, and records skipped runs', () => {
  const limited = plan({ catchUp: 'all', catchUpMax: 2 }, FIRST + 3 * MINUTE);
  assert.deepEqual(
    [ticksOf(limited.enqueue), ticksOf(limited.skipped)],
    [
      [2, 3],
      [0, 1],
    ],
  );
  assert.ok(limited.skipped.every(({ reason }) => reason === 'over_limit'));
  const recent = plan({ catchUp: 'all', catchUpWindowMs: 2 * MINUTE }, FIRST + 4 * MINUTE);
  assert.deepEqual(
    [ticksOf(recent.enqueue), ticksOf(recent.skipped)],
    [
      [2, 3, 4],
      [0, 1],
    ],
  );
  assert.ok(recent.skipped.every(({ reason }) => reason === 'too_old'));
});

const daily: NextTime = (after) =>
  after < FIRST ? FIRST : FIRST + Math.floor((after - FIRST) / (1440 * MINUTE) + 1) * 1440 * MINUTE;

test('catch-up none runs only what is at most a minute late', () => {
  assert.deepEqual(ticksOf(plan({ catchUp: 'none' }, FIRST + MINUTE, [], daily).enqueue), [0]);
  const late = plan({ catchUp: 'none' }, FIRST + MINUTE + 1, [], daily);
  assert.deepEqual(late.enqueue, []);
  assert.deepEqual(late.skipped, [{ tick: FIRST, reason: 'missed', jobId: null }]);
  assert.equal(late.nextTick, FIRST + 1440 * MINUTE);
});

test('catch-up one skips runs older than the window', () => {
  const late = plan({ catchUpWindowMs: 60 * MINUTE }, FIRST + 61 * MINUTE, [], daily);
  assert.deepEqual(late.skipped, [{ tick: FIRST, reason: 'too_old', jobId: null }]);
  assert.deepEqual(ticksOf(plan({ catchUpWindowMs: 60 * MINUTE }, FIRST + 59 * MINUTE, [], daily).enqueue), [0]);
});

test('few runs are computed after a year without a worker', () => {
  let calls = 0;
  const everySecond: NextTime = (after) => {
    calls++;
    return Math.floor(after / 1000) * 1000 + 1000;
  };
  const { enqueue, skipped } = plan({ catchUp: 'one' }, FIRST + 365 * 1440 * MINUTE, [], everySecond);
  assert.equal(enqueue.length, 1);
  assert.equal(skipped.length, 100, 'the newest of them are told');
  assert.ok(calls < 5000, `${calls} calls`);
});

test('a one-time schedule has no next run', () => {
  const { enqueue, nextTick, nextAt } = plan({}, FIRST, [], () => null);
  assert.deepEqual([ticksOf(enqueue), nextTick, nextAt], [[0], null, null]);
});

test('overlap skip skips a run while an earlier job is unfinished, and names that job', () => {
  const { enqueue, skipped } = plan({ overlap: 'skip' }, FIRST, ['old']);
  assert.deepEqual(enqueue, []);
  assert.deepEqual(skipped, [{ tick: FIRST, reason: 'overlap', jobId: 'old' }]);
  assert.deepEqual(ticksOf(plan({ overlap: 'skip' }, FIRST).enqueue), [0]);
});

test('overlap skip starts one of several due runs', () => {
  const { enqueue, skipped } = plan({ overlap: 'skip', catchUp: 'all' }, FIRST + 2 * MINUTE);
  assert.deepEqual(ticksOf(enqueue), [0]);
  assert.deepEqual(
    skipped.map(({ jobId }) => jobId),
    ['new1', 'new1'],
  );
});

test('overlap queue makes each job depend on all earlier ones, so that deleting one starts none early', () => {
  const { enqueue } = plan({ overlap: 'queue', catchUp: 'all' }, FIRST + 2 * MINUTE, ['a', 'b']);
  assert.deepEqual(
    enqueue.map(({ after }) => after),
    [
      ['a', 'b'],
      ['a', 'b', 'new1'],
      ['a', 'b', 'new1', 'new2'],
    ],
  );
});

test('at most a hundred jobs queue up', () => {
  const unfinished = Array.from({ length: 99 }, (_, i) => `old${i}`);
  const { enqueue, skipped } = plan({ overlap: 'queue', catchUp: 'all' }, FIRST + MINUTE, unfinished);
  assert.deepEqual([ticksOf(enqueue), ticksOf(skipped)], [[0], [1]]);
  assert.equal(skipped[0]?.reason, 'overlap');
});

test('overlap replace cancels unfinished jobs, and the latest job waits for their end', () => {
  const { enqueue, cancel, skipped } = plan({ overlap: 'replace', catchUp: 'all' }, FIRST + MINUTE, ['old']);
  assert.deepEqual(enqueue, [{ tick: FIRST + MINUTE, jobId: 'new1', after: ['old'] }]);
  assert.deepEqual(cancel, ['old']);
  assert.deepEqual(skipped, [{ tick: FIRST, reason: 'replaced', jobId: 'new1' }]);
});

test('overlap replace cancels nothing while no run is due', () => {
  assert.deepEqual(plan({ overlap: 'replace' }, FIRST - 1, ['old']).cancel, []);
});

test('jitter delays a run but not its scheduled time', () => {
  const delay = jitterOf('backup', 30_000);
  assert.ok(delay > 0);
  assert.deepEqual(plan({ jitterMs: 30_000 }, FIRST + delay - 1).enqueue, []);
  const due = plan({ jitterMs: 30_000 }, FIRST + delay);
  assert.deepEqual(ticksOf(due.enqueue), [0]);
  assert.equal(due.nextAt, FIRST + MINUTE + delay);
});

test('a pause records each missed run, up to the newest hundred', () => {
  const ticks = pausedTicks(everyMinute, FIRST, FIRST + 500 * MINUTE);
  assert.deepEqual([ticks.length, ticksOf(ticks).at(-1), ticks[0]?.reason], [100, 500, 'paused']);
  assert.deepEqual(pausedTicks(everyMinute, FIRST, FIRST - 1), []);
});

test('each run is decided exactly once, whenever workers check', () => {
  const looks = fc.array(fc.integer({ min: 1, max: 40 * MINUTE }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      looks,
      fc.constantFrom('none', 'one', 'all'),
      fc.integer({ min: 0, max: 50_000 }),
      (steps, catchUp, jitterMs) => {
        const rules = { ...RULES, catchUp, jitterMs } as TickRules;
        const decided: number[] = [];
        let [now, tick] = [FIRST - 20 * MINUTE, FIRST];
        for (const step of steps) {
          now += step;
          const { enqueue, skipped, nextTick } = planTicks(rules, tick, everyMinute, now, [], () => 'id');
          decided.push(...[...enqueue, ...skipped].map((each) => each.tick).sort((a, b) => a - b));
          tick = nextTick ?? Number.NaN;
        }
        assert.deepEqual(
          decided,
          decided.map((_, i) => FIRST + i * MINUTE),
        );
        assert.equal(tick, FIRST + decided.length * MINUTE);
      },
    ),
  );
});
