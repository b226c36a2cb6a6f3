// Real processes of another user: if /proc hides them, they are unknown, never dead.

import assert from 'node:assert/strict';
import type { SpawnSyncReturns } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { exists } from '../../src/process/tree/proc.ts';
import { runHiding, runProgram } from '../support/hiding.ts';
import type { Findings } from './hidden-child.ts';

const PROGRAM = path.join(import.meta.dirname, 'hidden-child.ts');

const isRoot = process.getuid?.() === 0;
const mountOfProc = (): string | undefined =>
  fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((line) => line.includes(' /proc '));

function findingsOf({ status, stdout, stderr }: SpawnSyncReturns<string>): Findings {
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Findings;
}

test('a process hidden in /proc is unknown while it runs and dead after its exit', () => {
  const before = mountOfProc();
  const { rejected, result } = runHiding(PROGRAM);
  assert.equal(mountOfProc(), before, 'nothing has changed for others');
  if (rejected !== null) {
    assert.match(rejected, /not permitted|denied/, 'only root may mount');
    return;
  }
  assert.deepEqual(findingsOf(result), {
    fates: ['alive', 'unknown', 'dead'],
    hasEntry: false,
    exists: true,
  });
});

test('a visible process of another user is alive although it cannot be signalled', () => {
  if (!isRoot) {
    assert.throws(() => process.kill(1, 0), { code: 'EPERM' });
    assert.equal(exists(1), true);
    return;
  }
  assert.deepEqual(findingsOf(runProgram(PROGRAM)), {
    fates: ['alive', 'alive', 'dead'],
    hasEntry: true,
    exists: true,
  });
});
