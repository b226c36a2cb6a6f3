// Workers killed while schedules run: each run creates exactly one job, and none is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFleet, type ForegroundWorker } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const SCHEDULES = ['a', 'b', 'c', 'd'];
const SECOND = 1000;
const TICKS = 6;

test('each scheduled run creates exactly one job while workers are killed at random', async (t) => {
  const fleet = await newFleet(t);
  for (const name of SCHEDULES) {
    await fleet.cli.text('schedule', 'add', name, '--every', '1s', '--catch-up', 'all', 'true');
  }
  const schedules = await fleet.queue.schedules();
  const first = new Map((await schedules.all()).map(({ name, nextAt }) => [name, nextAt ?? 0]));
  const last = Math.max(...first.values()) + (TICKS - 1) * SECOND;

  const workers: ForegroundWorker[] = [await fleet.worker(), await fleet.worker()];
  for (let killed = 0; fleet.queue.now() < last || killed < 4; killed++) {
    const at = fleet.queue.now();
    // Kills around the scheduled times, each time a little later, so that every step is eventually hit.
    await until(
      'the moment has come',
      () => (fleet.queue.now() - (first.get('a') ?? 0)) % SECOND >= (killed * 13) % 60 && fleet.queue.now() > at + 200,
    );
    const [victim] = workers.splice(0, 1);
    victim?.kill('SIGKILL');
    await victim?.ended;
    workers.push(await fleet.worker());
  }
  await until('all ticks are decided', async () => (await schedules.all()).every(({ nextAt }) => (nextAt ?? 0) > last));
  for (const name of SCHEDULES) await fleet.cli.text('schedule', 'pause', name);

  const jobs = await fleet.queue.list({ sort: 'created', descending: false, limit: null });
  for (const name of SCHEDULES) {
    const times = jobs.filter(({ schedule }) => schedule === name).map(({ scheduledAt }) => scheduledAt ?? 0);
    const expected = times.map((_, i) => (first.get(name) ?? 0) + i * SECOND);
    assert.deepEqual(
      times.toSorted((a, b) => a - b),
      expected,
      `the ticks of ${name}, each once, without a gap`,
    );
    assert.ok(times.length >= TICKS);
    const ticks = await schedules.ticks(name, 100);
    assert.deepEqual(new Set(ticks.map(({ jobId }) => jobId)), new Set(jobs.filter(({ schedule }) => schedule === name).map(({ id }) => id))); // biome-ignore format: one line
  }
});
