// A worker whose own heartbeat was late does not consider others lost by earlier checks, because they may have been
// late too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorkerId, startWorker } from '../../src/worker/start-worker.ts';
import { addWorker, openQueue } from '../support/library.ts';
import { storeWith } from '../support/store-with.ts';
import { until } from '../support/until.ts';

const LEASE_MS = 2000;
const SETTINGS = { lease_duration: '2', heartbeat_interval: '0.2', poll_interval: '0.1' };

test('a slow renewal restarts the silence of other workers', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'silent', { bootId: 'elsewhere', leaseMs: LEASE_MS });
  const { store, place } = queue;
  const looks: number[] = [];
  let slowUntil = Number.POSITIVE_INFINITY;
  let condemnedAt = 0;
  const slow = storeWith(store, {
    workers: () => {
      looks.push(performance.now());
      return store.workers();
    },
    renew: async (...args) => {
      const leases = await store.renew(...args);
      const [, first = Number.POSITIVE_INFINITY] = looks; // the previous one belonged to a worker that was registering
      if (slowUntil < Number.POSITIVE_INFINITY || performance.now() - first < 0.95 * LEASE_MS) return leases;
      await sleep(LEASE_MS / 2); // the response is late, after most of the silence
      slowUntil = performance.now();
      return leases;
    },
    condemn: (id, heartbeat) => {
      if (id === 'silent') condemnedAt ||= performance.now();
      return store.condemn(id, heartbeat);
    },
  });
  const home = { store: slow, place, overrides: SETTINGS, environment: {} };
  const worker = startWorker(home, {
    id: makeWorkerId(),
    queues: null,
    concurrency: 1,
    drain: false,
    log: () => {},
  });
  const done = worker.run();
  await until('the silent one is taken for dead', () => condemnedAt > 0);
  worker.stop('graceful');
  await done;
  const silentMs = condemnedAt - slowUntil;
  assert.ok(silentMs >= LEASE_MS, `after ${silentMs} ms`);
});
