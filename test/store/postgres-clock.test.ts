// A process knows the server's time without asking for it; each turn shows how far it is wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { identity } from '../contract/bench.ts';
import { newJob } from '../support/jobs.ts';
import { plainWorker } from '../support/workers.ts';
import { idleTurn } from './idle-turn.ts';
import { postgresPlace } from './postgres-place.ts';

const HOUR_MS = 3_600_000;

for (const [what, jumpMs] of [
  ['falls an hour behind', HOUR_MS],
  ['jumps an hour ahead', -HOUR_MS],
] as const) {
  for (const [turn, want] of [
    ['looks', 0],
    ['claims', 1],
  ] as const) {
    test(`if the server's clock ${what}, a turn that ${turn} notices it`, async (t) => {
      const place = await postgresPlace();
      t.after(() => place.remove());
      const store = await openPostgres(place.url);
      t.after(() => store.close());
      await store.registerWorker({ ...identity('w1'), ...plainWorker });
      await store.enqueue([newJob('a')]);
      const { now } = performance;
      t.mock.method(performance, 'now', () => now.call(performance) + jumpMs);
      const offBefore = store.now() - Date.now();
      assert.ok(Math.abs(offBefore - jumpMs) < 60_000, `off by ${offBefore} ms`);
      await store.turn({ ...idleTurn, worker: identity('w1'), want });
      const off = store.now() - Date.now();
      assert.ok(Math.abs(off) < 60_000, `off by ${off} ms`);
    });
  }
}
