// A job with endless output: its log stays small during and after the run.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fixture, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const LIMIT = 65_536;
const WRITTEN = 300 * MIB;

test('300 MiB of output leave a log of log_max_bytes with head and tail, and never use much disk space', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: LIMIT });
  await fleet.add({ id: 'a', command: ['sh', fixture('flood.sh'), '300'] });
  await fleet.worker();
  const folder = fleet.queue.place.logs;
  let largest = 0;
  const job = await until('it has ended', async () => {
    const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    const sizes = files.map((file) => fs.statSync(path.join(folder, file), { throwIfNoEntry: false })?.size ?? 0);
    largest = Math.max(largest, ...sizes);
    const { outcome = null } = (await fleet.history('a'))[0] ?? {};
    return outcome === null ? null : fleet.job('a');
  });
  assert.deepEqual([job.state, job.exitCode], ['completed', 0]);
  assert.ok(largest <= LIMIT + 300, `${largest} bytes in one file`);
  const log = await fleet.log('a');
  const [marker = '', leftOut] =
    /\n--- (\d+) bytes left out \(log_max_bytes\) ---\n/.exec(log) ?? assert.fail('it was not cut');
  const [start = ''] = /^--- START .*\n/.exec(log) ?? assert.fail('it has no beginning');
  const [end = ''] = /--- END \S+ rc=0 ---\n$/.exec(log) ?? assert.fail('it was not closed');
  assert.equal(log.length, start.length + LIMIT + marker.length + end.length);
  assert.ok(log.startsWith(`${start}the first line\n`));
  assert.ok(log.endsWith(`\nthe last line\n${end}`));
  const written = 'the first line\n\nthe last line\n'.length + WRITTEN;
  assert.equal(Number(leftOut), written - LIMIT, 'every byte is kept or counted');
});
