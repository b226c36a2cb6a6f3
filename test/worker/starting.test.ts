// Starting many workers: a few at a time, with a timeout that restarts with each registration.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { WorkerRecord } from '../../src/store/store.ts';
import { startDetached } from '../../src/worker/control/detached.ts';
import { newFleet } from '../support/fleet.ts';
import { rejection } from '../support/rejection.ts';

/** Real idle processes, and a table of workers that the test fills. */
async function slowTable(t: TestContext, isThere: (id: string, sinceMs: number) => boolean) {
  const { queue } = await newFleet(t);
  const firstSeen = new Map<string, number>();
  const pids = new Set<number>();
  const most = { onTheirWay: 0 };
  const running = (): string[] =>
    fs.readdirSync(queue.place.run).flatMap((name) => (/^(.+)\.pid$/.exec(name)?.[1] ?? []) as string[]);
  const workers = async (): Promise<WorkerRecord[]> => {
    const ids = running();
    for (const id of ids) {
      if (!firstSeen.has(id)) firstSeen.set(id, performance.now());
      pids.add(Number(fs.readFileSync(`${queue.place.run}/${id}.pid`, 'utf8')));
    }
    const there = ids.filter((id) => isThere(id, performance.now() - (firstSeen.get(id) ?? 0)));
    most.onTheirWay = Math.max(most.onTheirWay, ids.length - there.length);
    return there.map((id) => ({ id }) as WorkerRecord);
  };
  const endAll = (): void => {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  };
  const store = { workers, requestStop: queue.store.requestStop };
  const home = { store, place: queue.place, environment: queue.environment };
  const idle = ['-e', 'setTimeout(() => {}, 60_000)'];
  const names = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `w${i}`, args: idle }));
  return { home, names, most, endAll };
}

test('many workers start a few at a time, and each registration restarts the timeout', async (t) => {
  let lastAt = performance.now();
  const arrived = new Set<string>();
  const { home, names, most, endAll } = await slowTable(t, (id) => {
    if (!arrived.has(id) && performance.now() - lastAt > 150) {
      arrived.add(id);
      lastAt = performance.now();
    }
    return arrived.has(id);
  });
  const steps: number[] = [];
  const began = performance.now();
  const records = await startDetached(home, names(10), {
    patienceMs: 1000,
    atOnce: 3,
    progress: (started) => steps.push(started),
  }).finally(endAll);
  assert.ok(performance.now() - began > 1000, 'all in all it took longer than the patience');
  assert.deepEqual(
    records.map(({ id }) => id),
    names(10).map(({ id }) => id),
  );
  assert.ok(most.onTheirWay <= 3, `${most.onTheirWay} at once`);
  assert.equal(steps.at(-1), 10);
});

test('a worker that never registers fails after the timeout', async (t) => {
  const { home, names, endAll } = await slowTable(t, (id) => id !== 'w2');
  const { message } = await rejection('worker_start_failed', () =>
    startDetached(home, names(4), { patienceMs: 300, atOnce: 2 }).finally(endAll),
  );
  assert.match(message, /^worker w2 did not start/);
});

test('a dozen workers start and stop', async (t) => {
  const fleet = await newFleet(t);
  const started = await fleet.start('--count', '12');
  assert.equal(new Set(started.map(({ id }) => id)).size, 12);
  assert.equal((await fleet.queue.workers()).length, 12);
  await fleet.cli.text('worker', 'stop');
  assert.deepEqual(await fleet.queue.workers(), []);
});
