// Too few file descriptors for all concurrent jobs: the worker runs as many as possible, and eventually all.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Fleet, isAlive, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const FILES = 48;

/** Starts a worker with fewer file descriptors than its concurrency needs. */
async function poorWorker(t: TestContext, fleet: Fleet): Promise<() => string> {
  const log = fleet.path('worker.log');
  const line = `ulimit -n ${FILES}; exec queuectl worker run --concurrency 100 2>'${log}'`;
  const ended = fleet.cli.sh(line);
  t.after(async () => assert.equal((await ended).signal, null));
  await until('the worker is registered', async () => (await fleet.queue.workers()).length === 1);
  return () => fleet.lines('worker.log').join('\n');
}

test('a worker with too few file descriptors completes all jobs without failed attempts', async (t) => {
  const fleet = await newFleet(t, { heartbeat_interval: 0.2 });
  const ids = Array.from({ length: 120 }, (_, i) => `job-${i}`);
  const command = 'echo $QUEUECTL_JOB_ID >> ledger; sleep 0.2';
  await fleet.add(...ids.map((id) => ({ id, command, max_retries: 0 })));
  const log = await poorWorker(t, fleet);
  await until('all are completed', async () => (await fleet.count('completed')) === ids.length, 30_000);
  assert.match(log(), /degraded: .*EMFILE/, 'it did run out of files');
  assert.deepEqual(fleet.lines('ledger').sort(), ids.sort(), 'each ran once');
  for (const id of ids) {
    const { attempts, interruptions } = await fleet.job(id);
    assert.deepEqual([attempts, interruptions], [1, 0], id);
  }
});

test('a worker without free file descriptors still stops jobs that time out or are cancelled', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 0.5 });
  const ids = Array.from({ length: 40 }, (_, i) => `job-${i}`);
  const command = 'sleep 0.1; echo $QUEUECTL_JOB_ID >> ledger; exec sleep 60';
  await fleet.add(...ids.map((id) => ({ id, command, max_retries: 0, timeout_seconds: 1 })));
  const log = await poorWorker(t, fleet);
  await until('it is out of files', () => /degraded: .*EMFILE/.test(log()));
  const [{ id: worker, pid } = assert.fail()] = await fleet.queue.workers();
  const [first = ''] = await fleet.untilLines('ledger', 1);
  await fleet.queue.cancel([first]);
  assert.match((await fleet.untilFinal(first)).state, /cancelled|dead/);
  await until(
    'all are final',
    async () => {
      const waiting = await Promise.all((['pending', 'processing'] as const).map((state) => fleet.count(state)));
      return waiting.every((n) => n === 0);
    },
    30_000,
  );
  assert.ok(isAlive(pid));
  assert.deepEqual(fleet.lines('ledger').sort(), ids.sort(), 'each ran once');
  for (const id of ids) {
    const history = await fleet.history(id);
    assert.match(history.at(-1)?.outcome ?? '', /^(timeout|cancelled)$/);
    assert.ok(history.slice(0, -1).every(({ outcome }) => outcome === 'released'));
    assert.equal(history.at(-1)?.workerId, worker);
  }
});
