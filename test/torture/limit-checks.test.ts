// The checks of limits find what they look for in a ledger, and nothing else: crowds, starts against a limit, and a rate.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crowdedGates, crowdedWorkers, type LimitPeriod, startedAgainst } from '../../torture/checks/limits.ts';
import { startedTooFast } from '../../torture/checks/rates.ts';
import type { Entry } from '../../torture/ledger.ts';
import { type Run, runsOf } from '../../torture/runs.ts';

/** 'a+' starts job a, 'a-' ends it; each line is one further on in the ledger. */
function ledger(text: string, noteOf: (job: string) => string = () => 'default 1'): Run[] {
  const entries = text.split(' ').map((word, offset): Entry => {
    const jobId = word.slice(0, -1);
    const kind = word.endsWith('+') ? 'start' : 'end';
    const note = kind === 'start' ? noteOf(jobId) : '0';
    return { kind, jobId, pid: 1, at: offset * 1000, workerId: 'w', offset, note };
  });
  return runsOf(entries);
}

describe('a limit', () => {
  const behind = () => 'default 1 key:k=2 group:g=3';

  test('is exceeded by one job more than its number', () => {
    const found = crowdedGates(ledger('a+ b+ c+ a- b- c-', behind));
    assert.deepEqual(found.map(({ what, jobId }) => [what, jobId]), [
      ['too many ran at once by the ledger: key:k 3 of 2', 'c'],
    ]); // biome-ignore format: a table
  });

  test('is not exceeded by a job that starts when another has finished', () => {
    assert.deepEqual(crowdedGates(ledger('a+ b+ a- c+ b- c-', behind)), []);
  });

  test('is not exceeded by a killed job, whose end time is unknown', () => {
    assert.deepEqual(crowdedGates(ledger('a+ b+ c+ b- c-', behind)), []);
  });
});

test('counts the slots of a worker by the weights of its jobs', () => {
  const weigh = (job: string): string => `default ${job === 'heavy' ? 3 : 1}`;
  const slots = () => ({ slots: 3, memoryGib: 4 });
  assert.equal(crowdedWorkers(ledger('a+ heavy+ a- heavy-', weigh), slots).length, 1);
  assert.deepEqual(crowdedWorkers(ledger('a+ a- heavy+ heavy- b+ c+ d+ b- c- d-', weigh), slots), []);
});

test('counts the memory of a worker by the reservations of its jobs', () => {
  const reserve = (job: string): string => `default 1 memory=${job === 'large' ? 3 : 2}`;
  const size = () => ({ slots: 3, memoryGib: 4 });
  assert.equal(crowdedWorkers(ledger('a+ large+ a- large-', reserve), size).length, 1);
  assert.deepEqual(crowdedWorkers(ledger('a+ b+ a- b- large+ large-', reserve), size), []);
});

test('of a key is the strictest of its running jobs', () => {
  const mixed = (job: string): string => `default 1 key:k=${job === 'strict' ? 1 : 2}`;
  assert.equal(crowdedGates(ledger('a+ strict+ a- strict-', mixed)).length, 1);
  assert.equal(crowdedGates(ledger('strict+ a+ a- strict-', mixed)).length, 1);
  assert.deepEqual(crowdedGates(ledger('a+ b+ a- b- strict+ strict-', mixed)), []);
});

describe('a limit set during the run', () => {
  const period = (more: Partial<LimitPeriod>): LimitPeriod => ({
    what: 'it',
    queue: 'q',
    limit: 1,
    acknowledgedAt: 0,
    from: 1,
    until: 4,
    claimed: new Set(),
    ...more,
  });
  const inQueue = (job: string): string => (job === 'other' ? 'default 1' : 'q 1');
  const found = (text: string, more: Partial<LimitPeriod> = {}, claimedAt: number | null = null): string[] =>
    startedAgainst(period(more), ledger(text, inQueue), (_, time) => (claimedAt ?? time + 1) <= time).map(
      ({ jobId }) => jobId ?? '',
    );

  test('is exceeded by jobs that start next to others while it applies', () => {
    assert.deepEqual(found('a+ b+ a- b-'), ['b']);
    assert.deepEqual(found('a+ other+ a- b+ b-'), []);
  });

  test('does not apply to jobs that start before or after', () => {
    assert.deepEqual(found('a+ b+ a- b- c+ d+ c- d-', { from: 2 }), []);
  });

  test('lets jobs start once that were claimed before', () => {
    assert.deepEqual(found('a+ b+ b- b+ a- b-', { claimed: new Set(['b']) }), ['b']);
    assert.deepEqual(found('a+ b+ a- b-', { acknowledgedAt: 5 }, 4), []);
  });

  test('of zero is a pause', () => {
    assert.deepEqual(found('a+ a- b+ b-', { limit: 0 }), ['b']);
    assert.deepEqual(found('a+ other+ a- other-', { limit: 0 }), []);
    assert.deepEqual(found('a+ other+ a- other-', { limit: 0, queue: null }), ['other']);
  });
});

describe('a rate of two a second with a burst of three', () => {
  const rate = { queue: 'q', ratePerSecond: 2, burst: 3 };
  const found = (times: readonly number[], changes: readonly number[] = []): (number | undefined)[] =>
    startedTooFast(rate, times.map((at) => ({ jobId: 'j', at })), changes).map(({ at }) => at); // biome-ignore format: one line

  test('allows a burst and then one job per interval', () => {
    assert.deepEqual(found([0, 0, 0, 500, 1000, 5000, 5000, 5000]), []);
  });

  test('is exceeded by one start too many, whatever their order', () => {
    assert.deepEqual(found([490, 0, 0, 0]), [490]);
    assert.deepEqual(found([0, 0, 0, 0]), [0]);
  });

  test('has its burst again after a clock was changed', () => {
    assert.deepEqual(found([0, 0, 0, 200, 200, 200], [100]), []);
    assert.deepEqual(found([0, 0, 0, 200, 200, 200, 200], [100]), [200]);
  });
});
