// Tests for every store of which workers are considered lost.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { leaseMark } from '../../src/process/tree/tree.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { Settings } from '../../src/settings/settings.ts';
import type { NewPlace } from '../contract/bench.ts';
import { storeWith } from '../support/store-with.ts';
import { until } from '../support/until.ts';
import { jobOf, LEASE_MS, LOOK_MS, makeScene, realProcess, type Scene } from './rescue-scene.ts';

export function rescues(newPlace: NewPlace): void {
  const scene = (t: TestContext, stored = {}): Promise<Scene> => makeScene(t, newPlace, stored);

  test('a worker whose process is gone is lost at the first check', async (t) => {
    const s = await scene(t);
    await s.deadWorker('w');
    assert.equal(await s.lookAfter(0), 1);
    const { state, interruptions, lastError } = await s.bench.job(jobOf('w'));
    assert.deepEqual([state, interruptions, lastError], ['pending', 1, 'the worker was lost']);
    assert.deepEqual(await s.workerIds(), []);
    assert.deepEqual(s.lines, [`rescued   ${jobOf('w')}  from lost worker w, now pending`]);
  });

  test('one check rescues all lost workers and no other', async (t) => {
    const s = await scene(t);
    for (const id of ['d1', 'd2']) await s.deadWorker(id);
    await s.worker('lives');
    await s.unseenWorker('elsewhere');
    assert.equal(await s.lookAfter(0), 2);
    assert.deepEqual((await s.workerIds()).sort(), ['elsewhere', 'lives']);
  });

  test('a rescuer never considers itself lost', async (t) => {
    const s = await scene(t);
    await s.deadWorker('itself');
    const rescue = s.rescuer({ id: 'itself' });
    assert.equal(await s.lookFor(20 * LEASE_MS, rescue), 0);
    assert.equal(await s.isRunning('itself'), true);
  });

  test('a worker that is not visible is lost after a whole lease of silence, not before', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    const silentMs = await s.silenceUntilLost(10 * LEASE_MS);
    assert.ok(silentMs > LEASE_MS && silentMs <= LEASE_MS + 2 * LOOK_MS, `after ${silentMs} ms`);
  });

  test('a worker is judged by its own lease, not by that of the observer', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w', { leaseMs: 3 * LEASE_MS });
    const silentMs = await s.silenceUntilLost(10 * LEASE_MS);
    assert.ok(silentMs > 3 * LEASE_MS && silentMs <= 3 * LEASE_MS + 2 * LOOK_MS, `after ${silentMs} ms`);
  });

  test('each heartbeat restarts the silence', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    for (let i = 0; i < 5; i++) {
      assert.equal(await s.lookFor(LEASE_MS - LOOK_MS), 0);
      await s.givesSignOfLife('w');
    }
    assert.equal(await s.isRunning('w'), true);
  });

  test('observations before a failed renewal of our own lease do not count', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    for (let i = 0; i < 5; i++) {
      assert.equal(await s.lookFor(LEASE_MS - LOOK_MS), 0);
      s.rescue.forgetSightings();
    }
    const silentMs = await s.silenceUntilLost(10 * LEASE_MS);
    assert.ok(silentMs > LEASE_MS, `after ${silentMs} ms`);
  });

  test('a failed check invalidates earlier ones', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    let isAway = false;
    const workers = async () => {
      if (isAway) throw new Error('the store does not answer');
      return s.store.workers();
    };
    const rescue = s.rescuer({}, storeWith(s.store, { workers }));
    await s.lookFor(LEASE_MS - LOOK_MS, rescue);
    isAway = true;
    await assert.rejects(s.lookAfter(LOOK_MS, rescue), /does not answer/);
    isAway = false;
    assert.equal(await s.lookFor(LEASE_MS, rescue), 0);
    assert.equal(await s.lookFor(3 * LOOK_MS, rescue), 1);
  });

  test('the duration of a check does not count as silence', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    let tookMs = 0;
    const workers = async () => {
      const found = await s.store.workers();
      s.nowMs += tookMs;
      return found;
    };
    const rescue = s.rescuer({}, storeWith(s.store, { workers }));
    await s.lookAfter(0, rescue);
    await s.lookFor(LEASE_MS - 2 * LOOK_MS, rescue);
    tookMs = 10 * LEASE_MS;
    assert.equal(await s.lookAfter(LOOK_MS, rescue), 0);
  });

  test('a heartbeat first seen in a slow check starts the silence at its response', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    let tookMs = 0;
    const workers = async () => {
      s.nowMs += tookMs;
      return s.store.workers();
    };
    const rescue = s.rescuer({}, storeWith(s.store, { workers }));
    tookMs = LEASE_MS / 4;
    await s.lookAfter(0, rescue);
    tookMs = 0;
    assert.equal(await s.lookFor(LEASE_MS, rescue), 0);
    assert.equal(await s.lookAfter(LOOK_MS, rescue), 1);
  });

  test('two checks alone never prove a lease of silence', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    await s.lookAfter(0);
    for (let i = 0; i < 3; i++) assert.equal(await s.lookAfter(10 * LEASE_MS), 0, `look ${i}`);
  });

  test('two checks alone never prove silence for a much shorter lease than our own', async (t) => {
    const s = await scene(t, { lease_duration: 600 });
    await s.unseenWorker('w', { leaseMs: 1000 });
    await s.lookAfter(0);
    for (let i = 0; i < 3; i++) assert.equal(await s.lookAfter(60_000), 0, `look ${i}`);
  });

  test('a rescuer that checks only as often as it renews takes no longer', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    await s.lookAfter(0);
    for (let i = 0; i < 6; i++) assert.equal(await s.lookAfter(5000), 0);
    assert.equal(await s.lookAfter(5000), 1);
  });

  test('a silent but visible worker is late for ten leases, unless hosts share the store', async (t) => {
    const s = await scene(t);
    await s.worker('w');
    const patienceMs = LEASE_MS * (s.store.spansHosts ? 1 : 10);
    const silentMs = await s.silenceUntilLost(20 * LEASE_MS);
    assert.ok(silentMs > patienceMs && silentMs <= patienceMs + 2 * LOOK_MS, `after ${silentMs} ms`);
  });

  test('a silent worker that is suspended gets one lease everywhere', async (t) => {
    const { child, pid, pidStartedAt } = realProcess(t);
    child.kill('SIGSTOP');
    await until('it stands still', () => processEntry(pid)?.isStopped === true);
    const s = await scene(t);
    await s.worker('w', { pid, pidStartedAt });
    const silentMs = await s.silenceUntilLost(20 * LEASE_MS);
    assert.ok(silentMs > LEASE_MS && silentMs <= LEASE_MS + 2 * LOOK_MS, `after ${silentMs} ms`);
  });

  test('an unfinished rescue of a visible worker is completed at once', async (t) => {
    const s = await scene(t);
    await s.worker('w');
    await s.store.condemn('w');
    assert.equal(await s.lookAfter(0), 1);
    assert.deepEqual(await s.workerIds(), []);
  });

  test('an unfinished rescue of a worker that is not visible waits for its lease', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    await s.store.condemn('w');
    const silentMs = await s.silenceUntilLost(10 * LEASE_MS);
    assert.ok(silentMs > LEASE_MS && silentMs <= LEASE_MS + 2 * LOOK_MS, `after ${silentMs} ms`);
  });

  test('an unfinished rescue of a worker of a copied queue waits for its lease', async (t) => {
    const s = await scene(t);
    await s.deadWorker('w', { storeId: 'the original' });
    await s.store.condemn('w');
    assert.equal(await s.lookFor(LEASE_MS), 0);
    assert.equal(await s.isRunning('w'), true);
  });

  test('a heartbeat between check and condemnation saves a worker', async (t) => {
    const s = await scene(t);
    await s.deadWorker('w');
    const [{ seq = 0, run = 0 } = {}] = await s.store.runningOn('w');
    const job = realProcess(t, { QUEUECTL_LEASE: leaseMark('w', { seq, run }) });
    const condemn = async (id: string, seen?: number) => {
      await s.givesSignOfLife('w');
      return s.store.condemn(id, seen);
    };
    t.mock.restoreAll(); // stopping would take real time
    assert.equal(await s.rescuer({}, storeWith(s.store, { condemn })).runOnce(), 0);
    assert.notEqual(processEntry(job.pid), null, 'nothing is ended before the worker is fenced off');
    assert.equal(await s.isRunning('w'), true);
    assert.equal((await s.store.workers())[0]?.condemnedAt, null);
  });

  test('only one of two concurrent rescuers rescues a worker', async (t) => {
    const s = await scene(t);
    await s.deadWorker('w');
    const counts = await Promise.all([s.rescue.runOnce(), s.rescuer({ id: 'another' }).runOnce()]);
    assert.deepEqual(counts.sort(), [0, 1]);
    assert.equal((await s.bench.job(jobOf('w'))).interruptions, 1);
  });

  test('an interrupted rescue leaves the worker condemned, and the next check completes it', async (t) => {
    const s = await scene(t);
    await s.deadWorker('w');
    const rescue = async () => {
      throw new Error('the store does not answer');
    };
    await assert.rejects(s.rescuer({}, storeWith(s.store, { rescue })).runOnce(), /does not answer/);
    assert.equal(await s.isRunning('w'), true);
    assert.equal(await s.store.renew('w', { notice: null, leaseMs: LEASE_MS }), null, 'it is fenced off');
    assert.equal(await s.lookAfter(LOOK_MS), 1);
  });

  test('a failed rescue does not prevent the others', async (t) => {
    const s = await scene(t);
    for (const id of ['w1', 'w2', 'w3']) await s.deadWorker(id);
    const condemn: Scene['store']['condemn'] = async (id, seen) => {
      if (id === 'w1') throw new Error('the store does not answer');
      return s.store.condemn(id, seen);
    };
    await assert.rejects(s.rescuer({}, storeWith(s.store, { condemn })).runOnce(), /does not answer/);
    assert.deepEqual(await s.workerIds(), ['w1'], 'the others are done when it says so');
  });

  test('processes of a dead worker are stopped before its job can be claimed', async (t) => {
    const s = await scene(t);
    await s.deadWorker('w', { pidStartedAt: '1' });
    const [{ seq = 0, run = 0 } = {}] = await s.store.runningOn('w');
    const left = realProcess(t, { QUEUECTL_LEASE: leaseMark('w', { seq, run }) });
    const rescue: Scene['store']['rescue'] = async (id, policy) => {
      assert.equal(processEntry(left.pid), null, 'it has ended before');
      return s.store.rescue(id, policy);
    };
    t.mock.restoreAll(); // stopping takes real time
    const ended = once(left.child, 'exit');
    assert.equal(await s.rescuer({}, storeWith(s.store, { rescue })).runOnce(), 1);
    await ended;
  });

  test('no process is stopped for a worker on another host', async (t) => {
    const s = await scene(t);
    await s.unseenWorker('w');
    const [{ seq = 0, run = 0 } = {}] = await s.store.runningOn('w');
    const bystander = realProcess(t, { QUEUECTL_LEASE: leaseMark('w', { seq, run }) });
    assert.ok((await s.silenceUntilLost(10 * LEASE_MS)) > LEASE_MS);
    assert.notEqual(processEntry(bystander.pid), null);
  });

  test('a worker that leaves requeues its jobs, whatever its heartbeat', async (t) => {
    const s = await scene(t);
    await s.worker('w');
    await s.givesSignOfLife('w');
    assert.equal(await s.rescuer({ id: 'w' }).requeueOwn(), 1);
    assert.deepEqual(await s.workerIds(), []);
    assert.equal((await s.bench.job(jobOf('w'))).state, 'pending');
  });

  test('a check finds out whether some worker cannot see this one', async (t) => {
    const s = await scene(t);
    await s.worker('w');
    assert.deepEqual(
      (await s.rescue.look()).map(({ id }) => id),
      ['w'],
    );
    assert.equal(s.rescue.hasUnseenOthers, false);
    await s.unseenWorker('x');
    await s.rescue.look();
    assert.equal(s.rescue.hasUnseenOthers, true);
    assert.equal(await s.isRunning('x'), true, 'a look changes nothing');
  });

  test('workers check less often the more there are, but at least eight times per lease', async (t) => {
    const s = await scene(t);
    assert.equal(s.rescue.everyMs, LOOK_MS);
    for (let i = 0; i < 40; i++) await s.bench.worker(`w${i}`, { bootId: 'elsewhere' });
    await s.lookAfter(0);
    assert.equal(s.rescue.everyMs, 2000);
    s.settings = new Settings({ lease_duration: 4 });
    assert.equal(s.rescue.everyMs, 500);
  });
}
