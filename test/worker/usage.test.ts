// Resource usage of jobs, as their worker reports it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';

test('an attempt is recorded with its usage, including the memory of all its processes', async (t) => {
  const fleet = await newFleet(t);
  const hold = `${process.execPath} -e 'const held = Buffer.alloc(70 * 2 ** 20, 1); setTimeout(() => held, 2500)'`;
  await fleet.add({ id: 'a', command: `${hold} & ${hold} & wait` });
  await fleet.worker();
  const { usage } = await fleet.untilState('a', 'completed');
  assert.ok(Number(usage?.peakMemoryBytes) > 140 * 2 ** 20, `${usage?.peakMemoryBytes} bytes`);
  assert.deepEqual((await fleet.history('a'))[0]?.usage, usage);
});
