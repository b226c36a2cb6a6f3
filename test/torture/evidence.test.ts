// What torture can tell about a problem: the jobs' own words with times and names, and what happened around them.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processEntry } from '../../src/process/tree/proc.ts';
import { Diary } from '../../torture/diary.ts';
import { evidenceOf, LOGS } from '../../torture/evidence.ts';
import { Ledger } from '../../torture/ledger.ts';
import { SqliteArena } from '../../torture/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

function attempt(ledger: Ledger, workerId: string, work: string): ChildProcess {
  const env = { ...process.env, QUEUECTL_JOB_ID: 'j1', QUEUECTL_WORKER_ID: workerId };
  return spawn('sh', ['-c', ledger.command(work)], { env });
}

test('an overlap of two attempts is reported with times, worker and process', async (t) => {
  const ledger = new Ledger(temporaryFolder(t));
  const began = Date.now();
  const first = attempt(ledger, 'w1', 'exec cat');
  await until('the first has started', () => ledger.entries().length === 1);
  const second = attempt(ledger, 'w2', 'true');
  await once(second, 'exit');
  first.stdin?.end();
  await once(first, 'exit');
  const entries = ledger.entries();
  const told = entries.map(({ kind, jobId, pid, workerId }) => [kind, jobId, pid, workerId]);
  assert.deepEqual(told, [
    ['start', 'j1', first.pid, 'w1'],
    ['overlap', 'j1', second.pid, 'w2'],
    ['start', 'j1', second.pid, 'w2'],
    ['end', 'j1', second.pid, 'w2'],
    ['end', 'j1', first.pid, 'w1'],
  ]);
  assert.match(entries[1]?.note ?? '', new RegExp(`^${first.pid} \\(sh\\) S `));
  for (const { at } of entries) assert.ok(at > began - 100 && at < Date.now() + 100, `${at} is not now`);
});

test('an attempt that starts after another has finished is not an overlap', async (t) => {
  const ledger = new Ledger(temporaryFolder(t));
  for (const worker of ['w1', 'w2']) await once(attempt(ledger, worker, 'true'), 'exit');
  assert.deepEqual(
    ledger.entries().map(({ kind }) => kind),
    ['start', 'end', 'start', 'end'],
  );
});

test('a process with the reused PID of an earlier attempt is not an overlap', async (t) => {
  const folder = temporaryFolder(t);
  const ledger = new Ledger(folder);
  const stranger = spawn('cat', { env: { ...process.env, QUEUECTL_JOB_ID: 'j1' } });
  await once(stranger, 'spawn');
  const { pid = 0 } = stranger;
  const startedAt = Number(processEntry(pid)?.startedAt);
  for (const since of [startedAt - 1, startedAt]) {
    writeFileSync(join(folder, 'holders', 'j1'), `${pid} ${since}\n`);
    await once(attempt(ledger, 'w1', 'true'), 'exit');
  }
  stranger.kill('SIGKILL');
  assert.deepEqual(
    ledger.entries().map(({ kind }) => kind),
    ['start', 'end', 'overlap', 'start', 'end'],
  );
});

test('the evidence contains every fault, and the log lines of the job and its workers in order', async (t) => {
  const folder = temporaryFolder(t);
  await new Diary(folder).record('freeze worker', async (note) => note('worker with pid 7'));
  const now = Date.now();
  const time = (ms: number): string => new Date(now + ms).toISOString();
  appendFileSync(join(folder, LOGS.workers), `${time(-90_000)}  w1  ready\n${time(20)}  w1  renewed late\n`);
  appendFileSync(join(folder, LOGS.workers), `${time(30)}  w9  started\n${time(40)}  w9  rescued j1\n`);
  appendFileSync(join(folder, LOGS.guards), `${time(10)}  w1  ends its jobs\n`);
  const entry = {
    kind: 'overlap',
    jobId: 'j1',
    pid: 5,
    at: now + 50,
    offset: 0,
    workerId: 'w1',
    note: '4 (sh) S',
  } as const;
  const entries = [entry, { ...entry, jobId: 'j2' }];
  const problem = { what: 'two at once', jobId: 'j1', at: entry.at };
  const lines = evidenceOf(problem, { folder, entries, histories: new Map() });
  assert.deepEqual(
    lines.map((line) => line.replace(/^\S+Z {2}/, '')),
    [
      'fault    fault 1, freeze worker: begins',
      'fault    fault 1, freeze worker: worker with pid 7',
      'fault    fault 1, freeze worker: ends',
      'guard    w1  ends its jobs',
      'worker   w1  renewed late',
      'worker   w9  rescued j1',
      'ledger   overlap pid 5, worker w1, beside 4 (sh) S',
    ],
  );
});

test('a kept arena has its queue and logs in its directory, and a discarded one leaves nothing', async (t) => {
  for (const keep of [true, false]) {
    const arena = new SqliteArena(0);
    t.after(() => rmSync(arena.folder, { recursive: true, force: true }));
    await (await arena.openQueue()).close();
    await arena.remove(keep);
    const queue = join(arena.folder, arena.hasOwnDisk ? 'kept' : 'disk', 'queue.db');
    assert.deepEqual([existsSync(queue), existsSync(arena.folder)], [keep, keep]);
  }
});
