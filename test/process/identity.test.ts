// Tests of process identity, for which a PID is not enough.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fateOf, isRunning, ownIdentity } from '../../src/process/tree/identity.ts';
import { allPids, hasEnvironment, exists, processEntry } from '../../src/process/tree/proc.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const own = { ...ownIdentity({}), storeId: 'here' };

function started(t: TestContext, program: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

function identityOf(pid: number | undefined): { pid: number; pidStartedAt: string | null } {
  assert.ok(pid);
  return { pid, pidStartedAt: processEntry(pid)?.startedAt ?? null };
}

test('this process is alive', () => {
  assert.equal(own.pid, process.pid);
  assert.equal(own.host, hostname());
  assert.match(own.bootId, /^[0-9a-f-]{36}\/\d+$/);
  assert.equal(fateOf(own, own), 'alive');
});

test('the environment can set the host name', () => {
  assert.equal(ownIdentity({ QUEUECTL_HOST: 'here' }).host, 'here');
});

test('a process that has exited is dead', async (t) => {
  const child = started(t, 'sleep', ['60']);
  const other = { ...own, ...identityOf(child.pid) };
  assert.equal(fateOf(other, own), 'alive');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(fateOf(other, own), 'dead');
});

test('a zombie is dead', async (t) => {
  // The sleep that replaces the shell never reaps its child.
  const child = started(t, 'sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60']);
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const pid = Number(line.toString());
  await until('its entry is gone', () => processEntry(pid) === null);
  assert.ok(allPids().includes(pid), 'it is a zombie');
  assert.equal(isRunning({ pid, pidStartedAt: null }), false);
});

test('a process with a reused PID is not the original process', async (t) => {
  const child = started(t, 'sleep', ['60']);
  const { pid, pidStartedAt } = identityOf(child.pid);
  assert.equal(fateOf({ ...own, pid, pidStartedAt: `${Number(pidStartedAt) - 1}` }, own), 'dead');
  assert.equal(fateOf({ ...own, pid, pidStartedAt }, own), 'alive');
  assert.equal(fateOf({ ...own, pid, pidStartedAt: null }, own), 'alive', 'without a start time the pid must do');
});

test('only heartbeats count for another boot, container or database, whatever the host name', () => {
  const [boot, namespace] = own.bootId.split('/');
  for (const elsewhere of [
    { bootId: `00000000-0000-0000-0000-000000000000/${namespace}` },
    { bootId: `${boot}/1` },
    { storeId: 'a copy of it' },
  ])
    assert.equal(fateOf({ ...own, ...elsewhere, pidStartedAt: '1' }, own), 'unknown');
  assert.equal(fateOf({ ...own, host: 'another name' } as typeof own, own), 'alive');
});

test('two hosts with custom names cannot see each other', () => {
  const [one, two] = [ownIdentity({ QUEUECTL_HOST: 'one' }), ownIdentity({ QUEUECTL_HOST: 'two' })];
  assert.equal(fateOf({ ...one, storeId: 'here' }, { ...two, storeId: 'here' }), 'unknown');
});

test('a stopped process is distinguished from a running one', async (t) => {
  const child = started(t, 'sleep', ['60']);
  const other = { ...own, ...identityOf(child.pid) };
  child.kill('SIGSTOP');
  await until('it is held', () => fateOf(other, own) === 'stopped');
  child.kill('SIGCONT');
  await until('it goes on', () => fateOf(other, own) === 'alive');
});

test('an unreadable process is not considered dead', async (t) => {
  // Signals show that it exists; missing entries in /proc are the effect of hidepid.
  const child = started(t, 'sleep', ['60']);
  const pid = Number(child.pid);
  assert.equal(exists(pid), true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(exists(pid), false);
});

test('a process name may contain spaces and parentheses', (t) => {
  const odd = path.join(temporaryFolder(t), ') S 1 (x');
  fs.symlinkSync('/bin/sleep', odd);
  const [child, usual] = [started(t, odd, ['60']), started(t, 'sleep', ['60'])];
  const entry = processEntry(Number(child.pid));
  assert.equal(entry?.group, processEntry(Number(usual.pid))?.group, 'both are in the group of this process');
  assert.match(entry?.startedAt ?? '', /^\d+$/);
});

test('the initial environment of a process is read completely', (t) => {
  const child = started(t, 'sleep', ['60'], { A: 'one', B: 'two words' });
  const pid = Number(child.pid);
  assert.ok(hasEnvironment(pid, { A: 'one', B: 'two words' }));
  assert.ok(!hasEnvironment(pid, { A: 'one', B: 'two' }), 'the start of a value is not the value');
  assert.ok(!hasEnvironment(pid, { A: 'one', C: 'three' }));
});
