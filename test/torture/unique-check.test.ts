// The check of unique jobs finds two of one key that should not have been there together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, Job } from '../../src/job/job.ts';
import { doubledUnique } from '../../torture/checks/unique.ts';
import type { Entry } from '../../torture/ledger.ts';

const job = (id: string, createdAt: number, uniqueKey: string): Job => ({ id, createdAt, uniqueKey }) as Job;
const line = (kind: Entry['kind'], jobId: string, at: number): Entry => ({
  kind,
  jobId,
  at,
  pid: 1,
  workerId: 'w',
  offset: at,
  note: '',
});
const RULES = { waitingKey: 'waiting', replaces: (id: string): boolean => id === 'replacing' };

/** An old job that is claimed at this time, starts a second later and ends ten seconds after that. */
function found(key: string, claimedAt: number, younger: Job): number {
  const entries = [line('start', 'old', claimedAt + 1000), line('end', 'old', claimedAt + 11_000)];
  const histories = new Map([['old', [{ startedAt: claimedAt } as Attempt]]]);
  return doubledUnique([job('old', 0, key), younger], entries, histories, RULES).length;
}

test('while one job waits, no other is stored, not even a replacing one', () => {
  for (const id of ['young', 'replacing']) {
    assert.equal(found('waiting', 5000, job(id, 4000, 'waiting')), 1);
    assert.equal(found('waiting', 5000, job(id, 5500, 'waiting')), 0);
  }
});

test('while one job is unfinished, no other is stored unless it replaces a running one', () => {
  assert.equal(found('unfinished', 5000, job('young', 12_000, 'unfinished')), 1);
  assert.equal(found('unfinished', 5000, job('young', 17_000, 'unfinished')), 0);
  assert.equal(found('unfinished', 5000, job('replacing', 12_000, 'unfinished')), 0);
  assert.equal(found('unfinished', 5000, job('replacing', 4000, 'unfinished')), 1);
});

test('jobs with other keys or without keys are not affected', () => {
  assert.equal(found('unfinished', 5000, job('young', 6000, 'another')), 0);
  assert.equal(found('waiting', 5000, { ...job('young', 4000, ''), uniqueKey: null }), 0);
});
