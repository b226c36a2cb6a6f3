// Stops whole real process trees, and no other process.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { freshTable } from '../../src/process/tree/process-table.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { endTree, type Leader, leaseMark, membersIn, type Tree } from '../../src/process/tree/tree.ts';
import { fixture, isAlive, send } from '../support/fleet.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let jobs = 0;

/** Starts a process that leads its group and carries the mark of a job; `pids` is the content of its file. */
function begin(
  t: TestContext,
  program: string,
  args: string[],
  lease = leaseMark('w1', { seq: process.pid, run: ++jobs }),
) {
  const file = path.join(temporaryFolder(t), 'file');
  const child = spawn(
    program,
    args.map((arg) => (arg === 'FILE' ? file : arg)),
    {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, QUEUECTL_LEASE: lease },
    },
  );
  const lines = (): string[] => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const pids = async (count: number): Promise<number[]> => {
    await until(`${count} processes`, () => lines().length >= count);
    return lines().map(Number);
  };
  t.after(async () => {
    await endTree(tree, 0);
    await gone(child);
  });
  const leader = leaderOf(Number(child.pid));
  const tree: Tree = { leader, lease };
  return { child, leader: leader.pid, tree, lease, lines, pids };
}

const leaderOf = (pid: number): Leader => ({ pid, startedAt: processEntry(pid)?.startedAt ?? null });

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('children, grandchildren and processes in other sessions are stopped with the first process', async (t) => {
  const { child, tree, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE']);
  const family = await pids(4);
  await endTree(tree, 5000);
  assert.deepEqual(family.filter(isAlive), []);
  await gone(child);
  assert.equal(child.signalCode, 'SIGTERM', 'there was no need for KILL');
});

test('processes that ignore TERM get KILL after the grace period, not before', async (t) => {
  const { child, tree, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE', 'deaf']);
  const family = await pids(4);
  const before = performance.now();
  await endTree(tree, 300);
  assert.ok(performance.now() - before >= 300);
  assert.deepEqual(family.filter(isAlive), []);
  await gone(child);
  assert.equal(child.signalCode, 'SIGKILL');
});

test('remaining processes are found after the first process has exited', async (t) => {
  const { child, leader, tree, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE']);
  const family = await pids(4);
  send(leader, 'SIGKILL');
  await gone(child);
  assert.equal(family.filter(isAlive).length, 3);
  await endTree(tree, 5000);
  assert.deepEqual(family.filter(isAlive), []);
});

test('a tree with an unrecorded first process is found by its mark', async (t) => {
  const { tree, pids } = begin(t, 'sh', [fixture('family.sh'), 'FILE']);
  const family = await pids(4);
  await endTree({ ...tree, leader: null }, 5000);
  assert.deepEqual(family.filter(isAlive), []);
});

test('another attempt of the same job is another tree', async (t) => {
  const [seq, worker] = [process.pid, `w${process.pid}`];
  const { leader } = begin(t, 'sleep', ['60'], leaseMark(worker, { seq, run: 2 }));
  for (const run of [1, 20]) await endTree({ leader: null, lease: leaseMark(worker, { seq, run }) }, 5000);
  assert.ok(isAlive(leader));
});

test('a child without mark and session is stopped with its job', async (t) => {
  const script = 'setsid env -i sleep 60 & echo $! >>"$0"; wait';
  const { tree, pids } = begin(t, 'sh', ['-c', script, 'FILE']);
  const [stray = 0] = await pids(1);
  await endTree(tree, 5000);
  assert.ok(!isAlive(stray));
});

test('a job without a mark is found by its PID and session', async (t) => {
  const { tree, pids } = begin(t, 'env', ['-i', 'sh', '-c', 'sleep 60 & echo $! >>"$0"; wait', 'FILE']);
  const [child = 0] = await pids(1);
  await endTree(tree, 5000);
  assert.ok(!isAlive(child));
});

test('processes of other jobs, or of none, are left alone, whoever started them', async (t) => {
  const script =
    'QUEUECTL_LEASE= setsid sleep 60 & echo $! >>"$0"; QUEUECTL_LEASE=w2/1/1 setsid sleep 60 & echo $! >>"$0"; wait';
  const { tree, pids } = begin(t, 'sh', ['-c', script, 'FILE']);
  const others = await pids(2);
  await until('both are sleeping', () =>
    others.every((pid) => fs.readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n'),
  );
  t.after(() => others.forEach((pid) => void send(pid, 'SIGKILL')));
  await endTree(tree, 5000);
  assert.deepEqual(others.filter(isAlive), others);
});

test('a process with a reused PID is not part of the tree', async (t) => {
  const { tree, leader } = begin(t, 'sleep', ['60']);
  const earlier = { pid: leader, startedAt: '1' };
  assert.deepEqual(membersIn(await freshTable(), { lease: 'w1/0/0', leader: earlier }), []);
  assert.equal(membersIn(await freshTable(), { ...tree, lease: 'w1/0/0' }).length, 1);
});

test('five hundred trees are stopped together without blocking the event loop', async (t) => {
  const all = Array.from({ length: 500 }, () => begin(t, 'sleep', ['60']));
  let [turns, before, longest] = [0, performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    [turns, before] = [turns + 1, now];
  }, 5);
  await Promise.all(all.map(({ tree }) => endTree(tree, 5000)));
  clearInterval(timer);
  assert.deepEqual(
    all.filter(({ leader }) => isAlive(leader)),
    [],
  );
  assert.ok(turns > 0 && longest < 2000, `${turns} turns, ${longest} ms at the longest`);
});

test('a process may use its grace period to clean up', async (t) => {
  const script =
    'trap "sleep 0.2; echo goodbye >>\\"$0\\"; exit 3" TERM; echo ready >>"$0"; while :; do sleep 0.01; done';
  const { child, tree, lines } = begin(t, 'sh', ['-c', script, 'FILE']);
  await until('it is ready', () => lines().length > 0);
  await endTree(tree, 5000);
  await gone(child);
  assert.deepEqual([lines(), child.exitCode], [['ready', 'goodbye'], 3]);
});

test('each process gets only one TERM, because many programs exit immediately on a second one', async (t) => {
  const script = `
    const { appendFileSync } = require('node:fs');
    process.on('SIGTERM', () => appendFileSync(process.argv[1], 'TERM\\n'));
    appendFileSync(process.argv[1], 'ready\\n');
    setInterval(() => {}, 1000);`;
  const { tree, lines } = begin(t, process.execPath, ['-e', script, 'FILE']);
  await until('it is ready', () => lines().length > 0);
  await endTree(tree, 300);
  assert.deepEqual(lines(), ['ready', 'TERM']);
});

test('a job that keeps forking is stopped', async (t) => {
  const script = 'trap "" TERM; echo $$ >>"$0"; while :; do setsid sleep 60 & sleep 0.01; done';
  const { tree, lease, pids } = begin(t, 'sh', ['-c', script, 'FILE']);
  await pids(1);
  await endTree(tree, 100);
  const marked = () =>
    fs
      .readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`QUEUECTL_LEASE=${lease}\0`));
  assert.deepEqual(marked(), []);
});

function environmentOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

test('stopping a finished tree returns immediately', async (t) => {
  const { child, tree } = begin(t, 'true', []);
  await gone(child);
  const before = performance.now();
  await endTree(tree, 60_000);
  assert.ok(performance.now() - before < 5000);
});
