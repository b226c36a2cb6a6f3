// The check of schedules finds ticks that made two jobs, none, or were passed over, and jobs that no tick knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../src/job/job.ts';
import type { Schedule, Tick } from '../../src/schedule/schedule.ts';
import { type Circumstances, type ScheduleFacts, wrongSchedules } from '../../torture/checks/schedules.ts';

const SECOND = 1000;
const everySecond = (after: number): number => (Math.floor(after / SECOND) + 1) * SECOND;

const schedule = (nextAt: number): Schedule => ({ name: 's', spec: { jitterMs: 0 }, nextAt }) as unknown as Schedule;
const made = (at: number, jobId: string, more: Partial<Tick> = {}): Tick => ({
  at,
  outcome: 'enqueued',
  reason: null,
  jobId,
  decidedAt: at,
  ...more,
});
const skipped = (at: number, reason: Tick['reason'] = 'missed'): Tick => made(at, '', { outcome: 'skipped', reason });
const job = (id: string, scheduledAt: number): Job => ({ id, schedule: 's', scheduledAt }) as Job;
const facts = (more: Partial<ScheduleFacts> = {}): ScheduleFacts => ({
  existence: 'there',
  timedSince: 0,
  pauses: [],
  byHand: new Set(),
  ...more,
});

const PLAIN: Circumstances = { isDeleted: () => false, forgets: false };

/** Three ticks: two made a job, one was skipped. The next one is at 4000. */
const TICKS = [made(1000, 'a'), skipped(2000), made(3000, 'c')];
const JOBS = [job('a', 1000), job('c', 3000)];

function found(
  ticks: readonly Tick[] = TICKS,
  jobs: readonly Job[] = JOBS,
  known = facts(),
  more: Partial<Circumstances> = {},
): string[] {
  const kept = [{ schedule: schedule(4000), ticks, next: everySecond }];
  return wrongSchedules(new Map([['s', known]]), kept, jobs, { ...PLAIN, ...more }).map(({ what }) => what);
}

test('a schedule is correct if each run has its job or a reason', () => {
  assert.deepEqual(found(), []);
  assert.deepEqual(found(TICKS, [job('a', 1000)], facts(), { isDeleted: (id) => id === 'c' }), []); // biome-ignore format: one line
});

test('a run that created two jobs is found, and a manual job is not counted', () => {
  const jobs = [...JOBS, job('d', 3000)];
  assert.match(found(TICKS, jobs)[0] ?? '', /the tick .*:03.000Z of schedule s made c and d/);
  assert.deepEqual(found(TICKS, jobs, facts({ byHand: new Set(['d']) })), []);
});

test('a run without its job is found, and one that was skipped without a reason', () => {
  assert.match(found(TICKS, [job('a', 1000)])[0] ?? '', /:03.000Z of schedule s is enqueued without its job c/);
  assert.match(found([made(1000, 'a'), skipped(2000, null), made(3000, 'c')])[0] ?? '', /without a reason/);
});

test('a job without a run is found', () => {
  assert.match(found([...TICKS.slice(0, 2), skipped(3000)])[0] ?? '', /no tick of schedule s knows its job c/);
});

test("an undecided time is found if it is one of the schedule's current times", () => {
  const passedOver = [made(1000, 'a'), made(3000, 'c')];
  assert.match(found(passedOver)[0] ?? '', /nobody decided about the tick .*:02.000Z/);
  assert.deepEqual(found(passedOver, JOBS, facts({ timedSince: 2500 })), []);
});

test('runs beyond the latest hundred may be deleted', () => {
  const ticks = Array.from({ length: 100 }, (_, i) => skipped((i + 10) * SECOND));
  const kept = [{ schedule: schedule(110 * SECOND), ticks, next: everySecond }];
  const wrong = (all: typeof kept) => wrongSchedules(new Map([['s', facts()]]), all, [], PLAIN);
  assert.deepEqual(wrong(kept), []);
  assert.equal(wrong([{ ...kept[0], ticks: ticks.slice(1) } as (typeof kept)[0]]).length, 10);
});

test('if runs are deleted early, nothing older than the oldest run is judged', () => {
  const left = TICKS.slice(1);
  assert.equal(found(left).length, 2);
  assert.deepEqual(found(left, JOBS, facts(), { forgets: true }), []);
});

test('if runs are deleted early, a job of a future time may lack its run, but not one of a past time', () => {
  const toCome = [...JOBS, job('e', 5000)];
  assert.match(found(TICKS, toCome)[0] ?? '', /no tick of schedule s knows its job e/);
  assert.deepEqual(found(TICKS, toCome, facts(), { forgets: true }), []);
  const lost = [...TICKS.slice(0, 2), skipped(3000)];
  assert.equal(found(lost, JOBS, facts(), { forgets: true }).length, 1);
});

test('if runs are deleted early, a job of a former time of the schedule may lack its run, but not one of a current time', () => {
  const [past, present] = [job('p', 2500), job('q', 2000)];
  const lost = /no tick of schedule s knows its job/;
  assert.deepEqual(found(TICKS, [...JOBS, past], facts(), { forgets: true }), []);
  assert.match(found(TICKS, [...JOBS, past])[0] ?? '', lost);
  assert.match(found(TICKS, [...JOBS, present], facts(), { forgets: true })[0] ?? '', lost);
});

test('an acknowledged schedule must exist, and a deleted one must not', () => {
  assert.deepEqual(found(TICKS, JOBS, facts({ existence: 'gone' })), ['schedule s should be gone']);
  const nothing = wrongSchedules(new Map([['s', facts()]]), [], [], PLAIN);
  assert.deepEqual(nothing.map(({ what }) => what), ['schedule s should be there']); // biome-ignore format: one line
});

test('a job created while the schedule is paused is found', () => {
  const pauses = [{ before: new Set(['a']), after: ['a', 'c'] }];
  assert.deepEqual(found(TICKS, JOBS, facts({ pauses })), ['schedule s made job c while it was paused']);
});
