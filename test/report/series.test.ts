// The points of a chart.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { POINTS_AT_MOST, type SeriesQuery, seriesOf, seriesToJson } from '../../src/report/metrics/series.ts';
import { KEPT_MS, STEP_MS } from '../../src/series/fold.ts';
import { sparkline } from '../../src/cli/render/series.ts';
import { type Bench, makeBench } from '../contract/bench.ts';
import { sqlitePlace } from '../store/sqlite-place.ts';
import { newJob, T0 } from '../support/jobs.ts';

const { minute: MINUTE, hour: HOUR, day: DAY } = STEP_MS;

const bench = (t: TestContext): Promise<Bench> => makeBench(t, sqlitePlace);
const chart = (b: Bench, query: SeriesQuery) =>
  seriesOf({ now: () => b.now, series: (...args) => b.store.series.between(...args) }, query);

/** One job that waits and runs for so long. */
async function oneJob(b: Bench, id: string, waitMs: number, runMs: number, queue = 'default'): Promise<void> {
  await b.enqueue(newJob(id, { queue }));
  b.later(waitMs);
  const claimed = await b.take(id);
  await b.end(claimed, 'completed', { durationMs: runMs });
}

test('an hour has a point for every minute, including empty ones', async (t) => {
  const b = await bench(t);
  await oneJob(b, 'a', 0, 10);
  b.later(30 * MINUTE);
  await oneJob(b, 'b', 0, 10, 'mail');
  b.later(29 * MINUTE);
  const { points, stepMs, from, to } = await chart(b, { from: b.now - HOUR, to: b.now });
  assert.equal(stepMs, MINUTE);
  assert.ok(from <= b.now - HOUR && to > b.now);
  assert.ok(points.length === 61 || points.length === 62);
  assert.deepEqual(
    points.map(({ at }) => at),
    points.map((_, i) => from + i * MINUTE),
  );
  const busy = points.filter(({ completed }) => completed === 1);
  assert.equal((busy[1]?.at ?? 0) - (busy[0]?.at ?? 0), 30 * MINUTE);
});

test('one queue has only its own counts', async (t) => {
  const b = await bench(t);
  await oneJob(b, 'a', 0, 10);
  await oneJob(b, 'b', 0, 10, 'mail');
  const completed = async (queue?: string) => (await chart(b, { from: b.now - HOUR, to: b.now, queue })).sum.completed;
  assert.deepEqual([await completed(), await completed('mail'), await completed('none')], [2, 1, 0]);
});

test('run and waiting times have percentiles, at each point and in total', async (t) => {
  const b = await bench(t);
  for (let i = 1; i <= 100; i++) await oneJob(b, `j${i}`, 0, i * 100);
  b.later(5 * MINUTE);
  await oneJob(b, 'slow', 3000, 60_000);
  const { sum, points } = await chart(b, { from: T0 - MINUTE, to: b.now });
  const { run, wait } = sum;
  assert.equal(run?.count, 101);
  assert.ok(run.p50 > 4000 && run.p50 < 6000 && run.p95 > 9000 && run.p95 < 10_000, JSON.stringify(run));
  assert.equal(wait?.p50, 1, 'no finer than the first bucket');
  assert.deepEqual(points.at(-1)?.run, {
    count: 1,
    avg: 60_000,
    p50: 52_500,
    p95: 59_250,
    p99: 59_850,
  });
});

test('a range of years is shown in days, as far as they are kept', async (t) => {
  const b = await bench(t);
  await oneJob(b, 'a', 0, 10);
  b.later(3 * 365 * DAY);
  await oneJob(b, 'b', 0, 10);
  await b.store.series.fold();
  while ((await b.store.series.prune(100)) > 0);
  const { points, stepMs, sum } = await chart(b, { from: 0, to: b.now });
  assert.equal(stepMs, 7 * DAY);
  assert.ok(points.length <= POINTS_AT_MOST && points.length > 250);
  assert.equal(sum.completed, 2);
});

test('data too old for minutes is shown in hours, then in days', async (t) => {
  const b = await bench(t);
  await oneJob(b, 'a', 0, 10);
  const stepAfter = async (ms: number): Promise<[number, number]> => {
    b.now = T0 + ms;
    await b.store.series.fold();
    await b.store.series.prune(100);
    const { stepMs, sum } = await chart(b, { from: T0 - MINUTE, to: T0 + HOUR });
    return [stepMs, sum.completed];
  };
  assert.deepEqual(await stepAfter(KEPT_MS.minute - HOUR), [MINUTE, 1]);
  assert.deepEqual(await stepAfter(KEPT_MS.minute + HOUR), [HOUR, 1]);
  assert.deepEqual(await stepAfter(KEPT_MS.hour + HOUR), [DAY, 1]);
});

test('any range has at most 300 points, and they cover it from end to end', async () => {
  const now = T0;
  const source = { now: () => now, series: async () => [] };
  const past = fc.integer({ min: 1, max: 8 * 366 * DAY });
  await fc.assert(
    fc.asyncProperty(past, past, fc.integer({ min: 0, max: 40 * DAY }), async (ago, length, stepMs) => {
      fc.pre(ago - length < KEPT_MS.day);
      const [from, to] = [now - ago, Math.min(now, now - ago + length)];
      const { points, ...span } = await seriesOf(source, { from, to, stepMs });
      assert.ok(points.length >= 1 && points.length <= POINTS_AT_MOST, `${points.length}`);
      assert.ok(span.from <= Math.max(from, now - KEPT_MS.day) && span.to >= to);
      assert.ok(span.stepMs >= Math.min(stepMs, 28 * DAY) && span.stepMs % MINUTE === 0);
    }),
  );
});

test('a reversed or future range is rejected with one sentence', async () => {
  const source = { now: () => T0, series: async () => [] };
  const rejected = { code: 'invalid_range' };
  await assert.rejects(seriesOf(source, { from: T0, to: T0 - 1 }), rejected);
  await assert.rejects(seriesOf(source, { from: T0 + HOUR, to: T0 + DAY }), rejected);
  await assert.rejects(seriesOf(source, { from: Number.NaN, to: T0 }), rejected);
  await assert.rejects(seriesOf(source, { from: 0, to: 1 }), rejected);
});

test('as JSON every point has every number, and null for unmeasured times', async (t) => {
  const b = await bench(t);
  await b.enqueue('a');
  const { points, sum, step_seconds } = seriesToJson(await chart(b, { from: b.now - MINUTE, to: b.now }));
  const counts = {
    enqueued: 1,
    started: 0,
    completed: 0,
    failed: 0,
    interrupted: 0,
    dead: 0,
    cancelled: 0,
    cpu_seconds: 0,
  };
  assert.deepEqual(sum, { ...counts, run_ms: null, wait_ms: null });
  assert.equal(step_seconds, 60);
  assert.match(String((points as { at: string }[])[0]?.at), /^\d{4}-.*Z$/);
});

test('bars distinguish little, much and none', () => {
  assert.equal(sparkline([0, 1, 4, 8]), '▁▂▅█');
  assert.equal(sparkline([0, 0]), '▁▁');
  assert.equal(sparkline([]), '');
});
