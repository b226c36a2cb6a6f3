// Processes of another user, for real: where /proc hides them they are unknown, never dead.

import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isHidden } from '../../src/process/proc.ts';
import type { Findings } from './hidden-child.ts';

const PROGRAM = [process.execPath, path.join(import.meta.dirname, 'hidden-child.ts')];
/** A pid namespace of its own as well: to mount over /proc, or to remount it, would change it for the whole machine. */
const APART = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'];
const HIDING = [...APART, 'mount -t proc -o hidepid=2 proc /proc && exec "$@"', 'sh'];

const isRoot = process.getuid?.() === 0;
const mountOfProc = (): string | undefined =>
  fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((line) => line.includes(' /proc '));

const run = ([program = '', ...args]: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(program, args, { encoding: 'utf8', timeout: 30_000 });

function findingsOf({ status, stdout, stderr }: SpawnSyncReturns<string>): Findings {
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Findings;
}

test('a process that /proc hides is unknown while it runs, and dead when it has ended', () => {
  const before = mountOfProc();
  const answer = run([...HIDING, ...PROGRAM]);
  assert.equal(mountOfProc(), before, 'nothing has changed for others');
  const refused = /^(?:unshare|mount): (.*)/.exec(answer.stderr)?.[1];
  if (refused !== undefined) {
    assert.match(refused, /not permitted|denied/, 'only root may mount');
    return;
  }
  assert.deepEqual(findingsOf(answer), {
    fates: ['alive', 'unknown', 'dead'],
    hasEntry: false,
    isHidden: true,
  });
});

test('a process of another user that can be seen is alive, although it may not be signalled', () => {
  if (!isRoot) {
    assert.throws(() => process.kill(1, 0), { code: 'EPERM' });
    assert.equal(isHidden(1), true);
    return;
  }
  assert.deepEqual(findingsOf(run(PROGRAM)), {
    fates: ['alive', 'alive', 'dead'],
    hasEntry: true,
    isHidden: true,
  });
});
