// Maintenance by workers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

test('finished jobs are deleted with their logs after their retention time, others stay', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  await fleet.add({ id: 'good', command: 'seq 1 2000' }, { id: 'bad', command: 'seq 1 2000; exit 1' });
  await fleet.add({ id: 'unwanted', command: 'true', delay_seconds: 3600 });
  await fleet.queue.cancel(['unwanted']);
  await fleet.cli.drain();
  await fleet.add({ id: 'later', command: 'true', delay_seconds: 3600 });
  const logs = [(await fleet.job('good')).logPath, (await fleet.job('bad')).logPath];
  assert.ok(logs.every((log) => fs.existsSync(log ?? '')));

  await fleet.set({ retention_completed: 0 });
  await fleet.worker();
  await until('completed and cancelled ones are gone', async () => (await fleet.cli.count()) === 2);
  assert.deepEqual([(await fleet.job('bad')).state, (await fleet.job('later')).state], ['dead', 'pending']);
  await until('the log went with its job', () => !fs.existsSync(logs[0] ?? ''));
  assert.ok(fs.existsSync(logs[1] ?? ''));
});
