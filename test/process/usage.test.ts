// Memory and CPU time of real commands, with every starter.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Usage } from '../../src/job/usage.ts';
import { launch } from '../../src/process/spawn/launch.ts';
import { nodeSpawn } from '../../src/process/spawn/node-spawn.ts';
import { makePosixSpawn } from '../../src/process/spawn/posix-spawn.ts';
import type { Starter } from '../../src/process/spawn/start.ts';
import { usageOfProcesses } from '../../src/process/tree/tree-usage.ts';
import { until } from '../support/until.ts';

const begin = (command: string | readonly string[], starter: Starter) =>
  launch(
    {
      command,
      shell: '/bin/sh -c',
      cwd: null,
      inherited: process.env,
      own: {},
      outputs: [2, 2],
      notAfterMs: Number.POSITIVE_INFINITY,
    },
    starter,
  );

const usageOf = async (command: string, starter: Starter): Promise<Usage | null | undefined> =>
  (await begin(command, starter).exit).usage;

/** Uses 300 ms of CPU time. */
const BURN = `${process.execPath} -e 'while (process.cpuUsage().user < 300000);'`;
const MIB = 1024 * 1024;
const HOLD = (mib: number): string =>
  `${process.execPath} -e 'const held = Buffer.alloc(${mib} * 2 ** 20, 1); setTimeout(() => held, 1e6)'`;

describe('a command that is reaped with its usage', () => {
  const starter = makePosixSpawn();
  before(() => starter?.ready);

  test('reports the CPU time of its reaped children', async () => {
    if (starter === null) return assert.equal(process.platform === 'linux' && process.arch === 'x64', false);
    const usage = await usageOf(`(${BURN}); exit 3`, starter);
    assert.ok(Number(usage?.cpuUserMs) >= 300, `${usage?.cpuUserMs} ms`);
  });

  test('reports its memory only if it exceeds that of this process', async () => {
    if (starter === null) return assert.equal(process.platform === 'linux' && process.arch === 'x64', false);
    const much = Math.ceil(process.resourceUsage().maxRSS / 1024) + 200;
    const greedy = await usageOf(`head -c ${much * MIB} /dev/zero | tail -c ${much * MIB} >/dev/null`, starter);
    assert.ok(Number(greedy?.peakMemoryBytes) >= (much - 50) * MIB, `${greedy?.peakMemoryBytes} bytes`);
    assert.equal((await usageOf('true', starter))?.peakMemoryBytes, null);
  });
});

describe('a command that Node reaps', () => {
  test('reports its CPU time if no other child exits meanwhile', async () => {
    // Concurrent tests have children too.
    const usage = await until('one that ended alone', () => usageOf(BURN, nodeSpawn));
    assert.ok(Number(usage.cpuUserMs) >= 300, `${usage.cpuUserMs} ms`);
    const quick = await until('another', () => usageOf('true', nodeSpawn));
    assert.ok(Number(quick.cpuUserMs) < 300, 'and not that of others before it');
  });
});

describe('a running command', () => {
  test('is reported with the total memory of its processes', async () => {
    const { pid, exit } = begin(`${HOLD(60)} & ${HOLD(80)} & wait`, nodeSpawn);
    const leader = { pid: (await pid) ?? 0, startedAt: null };
    try {
      const usage = await until('both hold their memory', async () => {
        const seen = await usageOfProcesses(leader);
        return seen && seen.memoryBytes > 140 * MIB ? seen : null;
      });
      assert.equal(usage.processes, 3, 'the shell and both');
      assert.ok(usage.cpuUserMs > 0);
    } finally {
      process.kill(-leader.pid, 'SIGKILL');
      await exit;
    }
    assert.equal(await usageOfProcesses(leader), null, 'and not any more when it has ended');
  });
});
