// Start conditions of a worker.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Settings, type Stored } from '../../src/settings/settings.ts';
import { isWithin, parseHours } from '../../src/time/hours.ts';
import { Admission, type Machine } from '../../src/worker/admission.ts';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const GIB = 1024 ** 3;
const idle: Machine = {
  load: () => 0.5,
  freeMemory: () => 4 * GIB,
  freeDisk: () => 9 * GIB,
  now: () => new Date(2026, 5, 1, 12),
};

function noticeOf(stored: Stored, machine: Partial<Machine> = {}): string | null {
  const settings = new Settings(stored);
  const admission = new Admission(
    () => settings,
    { ...idle, ...machine },
    () => {},
  );
  assert.equal(admission.isOpen, admission.notice === null);
  return admission.notice;
}

describe('a worker', () => {
  test('starts jobs by default', () => {
    assert.equal(noticeOf({}, { load: () => 99, freeMemory: () => 0, freeDisk: () => 0 }), null);
    const all = { max_load: 1, min_free_memory: GIB, min_free_disk: GIB, hours: '8-18' };
    assert.equal(noticeOf(all), null);
  });

  test('starts nothing new while a start condition is not met', () => {
    const told: readonly [Stored, Partial<Machine>, string][] = [
      [{ max_load: 4 }, { load: () => 5.12 }, 'system load 5.1 is above 4'],
      [{ min_free_memory: GIB }, { freeMemory: () => GIB / 2 }, 'free memory 512 MiB is below 1 GiB'],
      [{ min_free_disk: GIB }, { freeDisk: () => 0 }, 'free disk space 0 bytes is below 1 GiB'],
      [{ hours: '22-6' }, {}, 'outside its hours, 22-6'],
    ];
    for (const [stored, machine, reason] of told)
      assert.equal(noticeOf(stored, machine), `not starting jobs: ${reason}`);
  });
});

describe('hours', () => {
  const at = (hour: number, minute = 0): Date => new Date(2026, 5, 1, hour, minute);
  const isIn = (text: string, date: Date): boolean => isWithin(parseHours(text) ?? assert.fail(text), date);

  test('may span midnight and exclude their end', () => {
    assert.deepEqual(
      [22, 23, 0, 5, 6, 21].map((hour) => isIn('22-6', at(hour))),
      [...[true, true, true, true, false, false]],
    );
    assert.deepEqual(
      [at(8, 29), at(8, 30), at(16, 59), at(17)].map((date) => isIn('8:30-17', date)),
      [...[false, true, true, false]],
    );
    assert.ok(isIn('22-24', at(23, 59)) && !isIn('22-24', at(0)));
  });

  test('are rejected if they are invalid', () => {
    for (const text of ['', '22', '25-6', '8-8', '0-24', '8:75-9', 'night', '-1-5'])
      assert.equal(parseHours(text), null, text);
  });

  test('follow clock changes', (t) => {
    const before = process.env.TZ;
    process.env.TZ = 'Europe/Berlin';
    t.after(() => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    });
    const inAt = (text: string, iso: string): boolean => isIn(text, new Date(iso));
    assert.ok(inAt('1-3', '2026-03-29T00:59:00Z') && !inAt('1-3', '2026-03-29T01:00:00Z'), 'there is no 2:00');
    assert.ok(inAt('2-3', '2026-10-25T00:30:00Z') && inAt('2-3', '2026-10-25T01:30:00Z'), '2:30 comes twice');
  });
});

test('a worker outside its hours reports that, and starts jobs again afterwards', async (t) => {
  const fleet = await newFleet(t);
  await fleet.set({ heartbeat_interval: '0.2' });
  const hour = new Date().getHours();
  const others = `${(hour + 4) % 24}-${(hour + 8) % 24}`;
  await fleet.queue.setSetting('hours', others);
  await fleet.add({ id: 'a', command: 'true' });
  await fleet.worker();
  await until('it says why', async () => {
    const { stdout } = await fleet.cli.run(['why', 'a']);
    return stdout.includes(`not starting jobs: outside its hours, ${others}`);
  });
  assert.match((await fleet.cli.run(['worker', 'list'])).stdout, /outside its hours/);
  const { stdout } = await fleet.cli.run(['status']);
  assert.match(stdout, /! worker not starting jobs: outside its hours/);
  assert.doesNotMatch(stdout, /degraded/);
  assert.equal((await fleet.job('a')).state, 'pending');
  await fleet.queue.unsetSetting('hours');
  await fleet.untilState('a', 'completed');
});

test('jobs that exceed the memory budget together wait for each other', async (t) => {
  const fleet = await newFleet(t);
  for (const id of ['a', 'b']) await fleet.add({ id, command: 'sleep 0.4', memory: '60M' });
  await fleet.add({ id: 'never', command: 'true', memory: '200M' });
  await fleet.queue.setSetting('memory_budget', '100M');
  await fleet.worker('--concurrency', '4');
  const [a, b] = [await fleet.untilState('a', 'completed'), await fleet.untilState('b', 'completed')];
  assert.ok(Number(b.startedAt) >= Number(a.finishedAt), 'one after the other');
  const { stdout } = await fleet.cli.run(['why', 'never']);
  assert.match(stdout, /needs 200 MiB of memory, but no worker has a budget of more than 100 MiB/);
});

test('the memory limit of a queue is reserved for its jobs, and why shows the budget of the worker', async (t) => {
  const fleet = await newFleet(t);
  await fleet.queue.queues.set('big', { confinement: { limits: { memory: '60M', mode: 'best-effort' } } });
  for (const id of ['a', 'b']) await fleet.add({ id, queue: 'big', command: 'sleep 0.4' });
  await fleet.add({ id: 'never', command: 'true', memory: '200M' });
  await fleet.worker('--concurrency', '4', '--memory-budget', '100M');
  const [a, b] = [await fleet.untilState('a', 'completed'), await fleet.untilState('b', 'completed')];
  assert.ok(Number(b.startedAt) >= Number(a.finishedAt), 'one after the other');
  const { stdout } = await fleet.cli.run(['why', 'never']);
  assert.match(stdout, /needs 200 MiB of memory, but no worker has a budget of more than 100 MiB/);
  const [worker] = JSON.parse((await fleet.cli.run(['worker', 'list', '--json'])).stdout);
  assert.equal(worker.memory_budget_bytes, 100 * 2 ** 20);
});
