// When a worker handles scheduled runs, and when it checks again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ticker } from '../../src/worker/ticker.ts';

const NOW = 1_000_000;

/** A ticker whose runs end when the test releases them. */
function newTicker() {
  const runs: PromiseWithResolvers<number>[] = [];
  const said: string[] = [];
  let done = 0;
  const tick = (): Promise<number> => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  };
  const ticker = new Ticker(tick, () => done++, (line) => said.push(line)); // biome-ignore format: one line
  return { ticker, runs, said, done: () => done };
}

test('nothing runs before it is due, or without a time', () => {
  const { ticker, runs } = newTicker();
  ticker.update(null, NOW);
  assert.equal(ticker.untilDueMs(NOW), Number.POSITIVE_INFINITY);
  ticker.update(NOW + 500, NOW);
  assert.equal(ticker.untilDueMs(NOW), 500);
  assert.equal(runs.length, 0);
});

test('due runs are handled one at a time, and the end is reported', async () => {
  const { ticker, runs, done } = newTicker();
  ticker.update(NOW, NOW);
  ticker.update(NOW, NOW + 1);
  assert.deepEqual([runs.length, ticker.isBusy, ticker.untilDueMs(NOW)], [1, true, Number.POSITIVE_INFINITY]);
  runs[0]?.resolve(1);
  await ticker.settled();
  assert.deepEqual([done(), ticker.isBusy], [1, false]);
});

test('the next run is due on time, however soon it comes', async () => {
  const { ticker, runs } = newTicker();
  ticker.update(NOW, NOW);
  runs[0]?.resolve(1);
  await ticker.settled();
  ticker.update(NOW + 1, NOW + 1);
  assert.equal(runs.length, 2);
});

test('a run that stays due is retried after increasing pauses, and failures are logged', async () => {
  const { ticker, runs, said } = newTicker();
  const pauses: number[] = [];
  ticker.update(NOW, NOW);
  for (let i = 0; i < 3; i++) {
    runs[i]?.reject(new Error('the disk is full'));
    await ticker.settled();
    pauses.push(ticker.untilDueMs(NOW));
    ticker.update(NOW, NOW);
    assert.equal(runs.length, i + 1, 'not at once');
    while (ticker.untilDueMs(NOW) > 0) await new Promise((resolve) => setTimeout(resolve, ticker.untilDueMs(NOW)));
    ticker.update(NOW, NOW);
    assert.equal(runs.length, i + 2);
  }
  const [first = 0, second = 0, third = 0] = pauses;
  assert.ok(first > 0 && first <= 20 && second > first && third > second, pauses.join(', '));
  assert.match(said[0] ?? '', /schedules delayed: the disk is full/);
});
