// Jobs that start without the shell: a worker reports them as if there was one.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { canStartInThread } from '../../src/process/spawn/posix-spawn.ts';
import { type Fleet, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** Shells sort variables by a hash, so the order shows whether there was one. */
const ORDER = { z: '1', y: '2', x: '3', w: '4', v: '5', u: '6', t: '7' };
const IN_ORDER = /\bz=1\0y=2\0x=3\0w=4\0v=5\0u=6\0t=7\0/;

async function isDirect(fleet: Fleet): Promise<boolean> {
  const [job] = await fleet.add({ command: 'cat /proc/self/environ', env: ORDER });
  await fleet.untilState(job?.id ?? '', 'completed');
  return IN_ORDER.test(await output(fleet, job?.id ?? ''));
}

const output = async (fleet: Fleet, id: string): Promise<string> => fleet.cli.text('logs', id, '--raw');

test('plain commands start without the shell unless the setting is off', async (t) => {
  const fleet = await newFleet(t);
  await fleet.worker();
  if (!canStartInThread()) return assert.equal(await isDirect(fleet), false);
  await until('a command starts without the shell', () => isDirect(fleet));
  await fleet.set({ direct_start: 'off' });
  await until('a command starts in the shell', async () => !(await isDirect(fleet)));
});

const PROGRAMS = {
  killed: 'kill -SEGV $$',
  piped: 'kill -PIPE $$',
  gentle: 'trap "exit 3" TERM; echo ready; while :; do sleep 0.01; done',
  missing: null,
};

test('jobs end alike with and without the shell', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0, kill_grace: 5 });
  for (const [name, script] of Object.entries(PROGRAMS))
    if (script !== null) fs.writeFileSync(fleet.path(name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  await fleet.worker();
  await until('a command starts without the shell', async () => !canStartInThread() || (await isDirect(fleet)));
  const seen: unknown[] = [];
  for (const setting of ['on', 'off']) {
    await fleet.set({ direct_start: setting });
    if (setting === 'off') await until('the worker has read the setting', async () => !(await isDirect(fleet)));
    for (const name of Object.keys(PROGRAMS)) {
      const [{ id } = { id: '' }] = await fleet.add({
        command: `./${name} 'x y'`,
        timeout: name === 'gentle' ? 0.3 : 60,
      });
      const { state, exitCode, signal, lastError } = await fleet.untilFinal(id);
      const [attempt] = await fleet.history(id);
      seen.push({
        name,
        state,
        exitCode,
        signal,
        lastError,
        outcome: attempt?.outcome,
        output: await output(fleet, id),
      });
    }
  }
  const half = seen.length / 2;
  assert.deepEqual(seen.slice(0, half), seen.slice(half));
});
