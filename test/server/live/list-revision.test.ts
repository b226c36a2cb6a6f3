// When pages are told to load their lists again, and when not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '../../../src/report/status.ts';
import { ListRevision, type Look } from '../../../src/server/live/list-revision.ts';
import { until } from '../../support/until.ts';

const look = (mark: string, more: Partial<Look> = {}): Look => ({
  mark,
  status: { now: Number(mark), totals: { pending: 1 } } as unknown as Status,
  heartbeats: [1],
  wasWoken: false,
  ...more,
});

/** Whether the second look makes lists load again. */
function isTold(second: Look, isMarkOurs = true): boolean {
  const revision = new ListRevision('start', isMarkOurs, 0);
  revision.see(look('1'));
  const before = revision.token();
  revision.see(second);
  return revision.token() !== before;
}

test('a heartbeat of a worker does not reload lists', () => {
  assert.equal(isTold(look('2', { heartbeats: [2] })), false);
});

test('counters, wake-ups and any change not explained by heartbeats reload lists', () => {
  const status = { now: 2, totals: { pending: 2 } } as unknown as Status;
  assert.equal(isTold(look('2', { heartbeats: [2], status })), true);
  assert.equal(isTold(look('2', { heartbeats: [2], wasWoken: true })), true);
  assert.equal(isTold(look('2')), true);
});

test('activity of other databases on the same server does not reload lists', () => {
  assert.equal(isTold(look('2'), false), false);
  assert.equal(isTold(look('2', { wasWoken: true }), false), true);
});

test('without a change in the store nothing is sent', () => assert.equal(isTold(look('1')), false));

test('during continuous changes lists are reloaded once for several, and once more at the end', async () => {
  const revision = new ListRevision('start', true, 300);
  revision.see(look('1'));
  const tokens = new Set([revision.token()]);
  for (const mark of ['2', '3', '4', '5']) {
    revision.see(look(mark));
    tokens.add(revision.token());
  }
  assert.equal(tokens.size, 1);
  await until('the last change is told', () => tokens.add(revision.token()).size === 2);
});
