// A job that writes without end: its log stays small while it runs and when it has ended.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { fixture, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const LIMIT = 65_536;
const WRITTEN = 300 * MIB;

test('300 MiB of output leave a log of log_max_bytes with head and tail, and never take much room', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: LIMIT });
  await fleet.add({ id: 'a', command: ['sh', fixture('flood.sh'), '300'] });
  await fleet.worker();
  let largest = 0;
  const job = await until(
    'it has ended',
    async () => {
      const { logPath = null, outcome = null } = (await fleet.history('a'))[0] ?? {};
      const size = logPath ? (fs.statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) : 0;
      largest = Math.max(largest, size);
      return outcome === null ? null : fleet.job('a');
    },
    30_000,
  );
  assert.deepEqual([job.state, job.exitCode], ['completed', 0]);
  assert.ok(largest < 60 * MIB, `${Math.round(largest / MIB)} MiB at once`);
  const log = await fleet.log('a');
  const [marker = '', leftOut] =
    /\n--- (\d+) bytes left out \(log_max_bytes 65536\) ---\n/.exec(log) ?? assert.fail('it was not cut');
  const [end = ''] = /--- END \S+ rc=0 ---\n$/.exec(log) ?? assert.fail('it was not closed');
  assert.ok(log.length <= LIMIT + marker.length + end.length, `${log.length} bytes`);
  assert.match(log, /^--- START .*\nthe first line\n/);
  assert.ok(log.endsWith(`\nthe last line\n${end}`));
  // What comes between the look and the cut is lost without being counted; most of it is.
  assert.ok(Number(leftOut) > WRITTEN / 2 && Number(leftOut) < WRITTEN + 100, `${leftOut} bytes left out`);
});
