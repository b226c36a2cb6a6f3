// The core of the tests again, for the single executable, and its special ways to start.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { LEASE_VARIABLE } from '../../src/process/tree/process-table.ts';
import { GUARD_LINES } from '../../src/worker/guard/guard-lines.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { ownPlatform } from '../../scripts/release/platforms.ts';
import { PROGRAMS, useProgram } from '../support/program.ts';

const folder = newFolder('queuectl executable ');
process.on('exit', () => removeFolder(folder));
const program = (await PROGRAMS.executable?.(folder)) ?? '';
useProgram(program);
const { testDebianPackage } = await import('./debian-package.ts');
await import('./core.test.ts');
testDebianPackage(program, ownPlatform()?.debian ?? 'amd64');

test('another build in another directory has the same bytes', async () => {
  const again = path.join(folder, 'again');
  fs.mkdirSync(again);
  const other = (await PROGRAMS.executable?.(again)) ?? '';
  assert.ok(fs.readFileSync(program).equals(fs.readFileSync(other)));
});

test('the executable needs no Node on the PATH', () => {
  const env = { PATH: '/nowhere', QUEUECTL_HOME: path.join(folder, 'home') };
  assert.equal(execFileSync(program, ['run', 'echo hello'], { env, encoding: 'utf8' }), 'hello\n');
});

test('Node reads none of the options that belong to a job', () => {
  const env = { ...process.env, QUEUECTL_HOME: path.join(folder, 'home') };
  const command = ['prog', '=', '=x', '--env-file=missing', '--inspect-brk', '--v8-options', '-e'];
  const [job] = JSON.parse(execFileSync(program, ['enqueue', '--json', '--', ...command], { env, encoding: 'utf8' }));
  assert.deepEqual(job.command, command);
  assert.equal(
    spawnSync(program, ['=', '=x'], { env }).status,
    2,
    'an unknown command, not the prefix of the launcher',
  );
});

test('its guard stops the jobs of a worker that has disappeared', async (t) => {
  const job = spawn('sleep', ['600'], { env: { ...process.env, [LEASE_VARIABLE]: 'lease' } });
  t.after(() => job.kill());
  const guard = spawn(program, ['__guard', 'a worker'], { stdio: ['pipe', 'ignore', 'inherit'] });
  guard.stdin.end(`${GUARD_LINES.begins}lease\n`);
  const [, signal] = await once(job, 'exit', { signal: AbortSignal.timeout(60_000) });
  assert.equal(signal, 'SIGTERM');
});
