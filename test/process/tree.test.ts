// Ending real process trees, whole ones, and nobody else.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { endTree, treeOf } from '../../src/process/tree.ts';
import { fixture, isAlive, send } from '../support/fleet.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let jobs = 0;

/** A process that leads its group and carries the mark of a job of its own; `pids` is what it writes to its file. */
function begin(t: TestContext, program: string, args: string[], workerId = 'w1') {
  const jobId = `tree-${process.pid}-${++jobs}`;
  const file = path.join(temporaryFolder(t), 'file');
  const child = spawn(
    program,
    args.map((arg) => (arg === 'FILE' ? file : arg)),
    {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, QUEUECTL_JOB_ID: jobId, QUEUECTL_WORKER_ID: workerId },
    },
  );
  const lines = (): string[] =>
    fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const pids = async (count: number): Promise<number[]> => {
    await until(`${count} processes`, () => lines().length >= count);
    return lines().map(Number);
  };
  t.after(async () => {
    await endTree(treeOf(jobId, workerId, Number(child.pid)), 0);
    await gone(child);
  });
  return { child, leader: Number(child.pid), jobId, lines, pids };
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('children, grandchildren and strays in other sessions end with the first process', async (t) => {
  const { child, leader, jobId, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE']);
  const family = await pids(4);
  await endTree(treeOf(jobId, 'w1', leader), 5000);
  assert.deepEqual(family.filter(isAlive), []);
  await gone(child);
  assert.equal(child.signalCode, 'SIGTERM', 'there was no need for KILL');
});

test('those who ignore TERM get KILL when their grace period is over, not before', async (t) => {
  const { child, leader, jobId, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE', 'deaf']);
  const family = await pids(4);
  const before = performance.now();
  await endTree(treeOf(jobId, 'w1', leader), 300);
  assert.ok(performance.now() - before >= 300);
  assert.deepEqual(family.filter(isAlive), []);
  await gone(child);
  assert.equal(child.signalCode, 'SIGKILL');
});

test('what the first process left behind is found when it has gone itself', async (t) => {
  const { child, leader, jobId, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE']);
  const family = await pids(4);
  send(leader, 'SIGKILL');
  await gone(child);
  assert.equal(family.filter(isAlive).length, 3);
  await endTree(treeOf(jobId, 'w1', leader), 5000);
  assert.deepEqual(family.filter(isAlive), []);
});

test('a tree whose first process nobody wrote down is found by its mark', async (t) => {
  const { jobId, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE']);
  const family = await pids(4);
  await endTree(treeOf(jobId, 'w1', null), 5000);
  assert.deepEqual(family.filter(isAlive), []);
});

test('the same job under another worker is another tree', async (t) => {
  const { leader, jobId } = begin(t, 'sleep', ['60'], 'w2');
  await endTree(treeOf(jobId, 'w1', null), 5000);
  assert.ok(isAlive(leader));
});

test('a process may use its grace period to say goodbye', async (t) => {
  const script =
    'trap "sleep 0.2; echo goodbye >>\\"$0\\"; exit 3" TERM; echo ready >>"$0"; while :; do sleep 0.01; done';
  const { child, leader, jobId, lines } = begin(t, 'sh', ['-c', script, 'FILE']);
  await until('it is ready', () => lines().length > 0);
  await endTree(treeOf(jobId, 'w1', leader), 5000);
  await gone(child);
  assert.deepEqual([lines(), child.exitCode], [['ready', 'goodbye'], 3]);
});

test('each process gets one TERM: for many programs a second one means at once', async (t) => {
  const script = `
    const { appendFileSync } = require('node:fs');
    process.on('SIGTERM', () => appendFileSync(process.argv[1], 'TERM\\n'));
    appendFileSync(process.argv[1], 'ready\\n');
    setInterval(() => {}, 1000);`;
  const { leader, jobId, lines } = begin(t, process.execPath, ['-e', script, 'FILE']);
  await until('it is ready', () => lines().length > 0);
  await endTree(treeOf(jobId, 'w1', leader), 300);
  assert.deepEqual(lines(), ['ready', 'TERM']);
});

test('a job that forks for its life ends all the same', async (t) => {
  const script = 'trap "" TERM; echo $$ >>"$0"; while :; do setsid sleep 60 & sleep 0.01; done';
  const { jobId, leader, pids } = begin(t, 'sh', ['-c', script, 'FILE']);
  await pids(1);
  await endTree(treeOf(jobId, 'w1', leader), 100);
  const marked = () =>
    fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(jobId));
  assert.deepEqual(marked(), []);
});

function environmentOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

test('where nothing is left there is nothing to wait for', async (t) => {
  const { child, leader, jobId } = begin(t, 'true', []);
  await gone(child);
  const before = performance.now();
  await endTree(treeOf(jobId, 'w1', leader), 60_000);
  assert.ok(performance.now() - before < 5000);
});
