// While everything in an arena stands still, nobody may be awake: one that is would see the leases of all others end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyEntry } from '../../src/process/tree/proc.ts';
import { SqliteArena } from '../../torture/sqlite.ts';
import { until } from '../support/until.ts';

test('a worker frozen during a standstill of everything stays frozen until everything continues', async (t) => {
  const arena = new SqliteArena(0);
  t.after(() => arena.remove(false));
  const worker = spawn('sleep', ['60']);
  t.after(() => worker.kill('SIGKILL'));
  await once(worker, 'spawn');
  const isStopped = (): boolean => anyEntry(worker.pid ?? 0)?.isStopped ?? false;
  const events: string[] = [];
  arena.standstill = sleep(200).then(() => void events.push('all goes on'));
  const frozen = arena.freeze(worker, 1).then(() => events.push('the worker goes on'));
  await until('it is frozen', isStopped);
  await Promise.all([arena.standstill, frozen]);
  assert.deepEqual(events, ['all goes on', 'the worker goes on']);
  await until('it goes on', () => !isStopped());
});
