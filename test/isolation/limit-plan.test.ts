// Tests which limits are enforced how, depending on the machine, and the wrapper of a command.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import type { Controller } from '../../src/isolation/limits/cgroup.ts';
import { type Means, planFor } from '../../src/isolation/limits/limit-plan.ts';
import { limitedCommand, type ScriptLimits } from '../../src/isolation/limits/limit-script.ts';

const GIB = 1024 ** 3;
const means = (more: Partial<Means> = {}): Means => ({
  controllers: new Set(),
  whyNot: 'no cgroup',
  canWatch: true,
  hasProgram: () => true,
  tasks: 100,
  ...more,
});
const all = new Set<Controller>(['memory', 'cpu', 'pids']);

describe('the plan', () => {
  test('prefers a cgroup', () => {
    const plan = planFor(
      { memoryBytes: GIB, processes: 5, cpuPercent: 50, cpuSeconds: 9 },
      means({ controllers: all }),
    );
    assert.deepEqual(plan, {
      isGrouped: true,
      rejected: [],
      watch: { cpuSeconds: 9 },
      script: { cpuSeconds: 9 },
    });
  });

  test('polls where no cgroup is available, with limits per process', () => {
    const plan = planFor({ memoryBytes: 3 * GIB, processes: 5 }, means());
    assert.deepEqual(plan, {
      isGrouped: false,
      rejected: [],
      watch: { memoryBytes: 3 * GIB, processes: 5 },
      script: { userProcesses: 105, dataBytes: 6 * GIB },
    });
  });

  test('rejects limits that cannot be enforced, with the reason', () => {
    const limits = { memoryBytes: GIB, processes: 5, cpuPercent: 50, nice: 5, ioClass: 'idle' } as const;
    const plan = planFor(limits, means({ canWatch: false, hasProgram: () => false }));
    assert.deepEqual(plan.rejected, [
      'memory: no cgroup',
      'processes: no cgroup',
      'cpu: no cgroup',
      "nice: program 'nice' not found",
      "io_class: program 'ionice' not found (package util-linux)",
    ]);
  });
});

describe('the wrapper', () => {
  const shells = ['sh', 'bash --posix', 'dash', 'busybox sh'].map((shell) => shell.split(' '));
  const there = shells.filter(([program = '']) => !spawnSync(program, ['-c', 'true']).error);
  for (const [program = '', ...flags] of there)
    test(`lowers the limits with ${program} and becomes the command`, () => {
      const run = (command: readonly string[], limits: ScriptLimits) => {
        const [, ...args] = limitedCommand(command, limits);
        return spawnSync(program, [...flags, ...args], { encoding: 'utf8' });
      };
      const shown = run(['sh', '-c', 'ulimit -n; ulimit -f; ulimit -t; ulimit -d; echo "$1"', 'x', 'a  $b'], {
        openFiles: 77,
        fileBytes: 10_240,
        cpuSeconds: 3.2,
        dataBytes: GIB,
      });
      assert.equal(shown.stdout, `77\n20\n4\n${1024 * 1024}\na  $b\n`);
      assert.equal(run(['sh', '-c', 'exit 5'], { openFiles: 77 }).status, 5);
    });

  test('never raises system limits', () => {
    const inner = limitedCommand(['sh', '-c', 'ulimit -H -n'], { openFiles: 500 });
    const outer = limitedCommand(inner, { openFiles: 100 });
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
    const [program = '', ...args] = [...asUser, ...outer];
    assert.equal(spawnSync(program, args, { encoding: 'utf8', cwd: '/' }).stdout, '100\n');
  });

  test('bounds a fork bomb of a non-root user', () => {
    const bomb = ['sh', '-c', 'i=0; while [ $i -lt 60 ]; do sleep 9 & i=$((i+1)); done; kill $(jobs -p)'];
    const isRoot = process.getuid?.() === 0;
    // No other process has the UID 65533, so only the bomb is counted.
    const limited = limitedCommand(bomb, { userProcesses: isRoot ? 20 : 1 });
    const [program = '', ...args] = [...(isRoot ? ['setpriv', '--reuid=65533', '--clear-groups'] : []), ...limited];
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: '/', timeout: 60_000 });
    assert.notEqual(status, 0);
    assert.match(stderr, /fork|resource/i);
  });

  test('reports what failed and does not start the command', () => {
    const [program = '', ...args] = limitedCommand(['echo', 'ran'], { entrance: '/nowhere/cgroup.procs' });
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [126, '']);
    assert.match(stderr, /could not enter its control group/);
  });
});
