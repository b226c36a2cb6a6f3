// Jobs that exceed their limits: each is stopped with the reason, without affecting other jobs. The kernel stops them
// if workers have a cgroup, else the watcher.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { getPriority } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';
import { environmentOf } from '../../src/process/tree/proc.ts';
import { delegating } from '../support/delegating.ts';
import { newFleet } from '../support/fleet.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const NODE = process.execPath;
/** Allocates 20 MiB ten times a second, up to 500 MB. */
const HOG = `${NODE} -e 'const h = []; setInterval(() => h.length < 25 && h.push(Buffer.alloc(2e7, 1)), 100)'`;
/** Writes the same amount to an unmapped file in memory. */
const FILES = `${NODE} -e 'const { functions: c } = process.getBuiltinModule("node:ffi").dlopen(null, {
  memfd_create: { arguments: ["string", "uint32"], return: "int32" } });
  const f = c.memfd_create("x", 0); let n = 0;
  setInterval(() => n++ < 25 && fs.writeSync(f, Buffer.alloc(2e7, 1)), 100)'`;
/**
 * Forks two children in up to four generations, at most 31 processes. Then the first process forks too, and exits if
 * that fails.
 */
const BOMB =
  'f() { [ "$1" -gt 0 ] && { f $(($1 - 1)) & f $(($1 - 1)) & }; sleep 300; }; f 4 & while :; do sleep 9 & sleep 0.1; done';
const BURN = 'while :; do :; done';

const processesMarked = (mark: string): number =>
  fs.readdirSync('/proc').filter((name) => Number(name) > 0 && environmentOf(Number(name))?.includes(mark)).length;

describe('a job over a limit', () => {
  const attacks: readonly [string, Record<string, unknown>, string, RegExp][] = [
    ['a memory hog', { memory: '150M' }, HOG, /^out of memory \(limit 150 MiB, peak \d+ MiB\)$/],
    ['a hog in two processes', { memory: '150M' }, `${HOG} & ${HOG} & wait`, /^out of memory/],
    ['a hog in a session of its own', { memory: '150M' }, `setsid ${HOG} & wait`, /^out of memory/],
    ['a hog of files without a name', { memory: '150M' }, FILES, /^out of memory \(limit 150 MiB, peak \d+ MiB\)$/],
    ['a fork bomb', { processes: 10 }, BOMB, /^too many processes \(limit 10\)$/],
    ['a CPU burner', { cpu_time: '1s' }, BURN, /^CPU time exceeded \(limit 1 s\)$/],
    ['burners side by side', { cpu_time: '1s' }, `${BURN} & ${BURN} & wait`, /^CPU time exceeded/],
    ['a disk filler', { file_size: '1M' }, 'head -c 9000000 /dev/zero >big', /^file too large \(limit 1 MiB\)$/],
  ];

  for (const [what, limits, command, reason] of attacks)
    test(`${what} is stopped with the reason, and the other job continues`, async (t) => {
      const fleet = await newFleet(t);
      const cwd = temporaryFolder(t);
      await fleet.add({ id: 'bad', command, limits, cwd, max_retries: 0, env: { BAD: `${what} ${cwd}` } });
      await fleet.add({ id: 'good', command: 'until [ -e done ]; do sleep 0.1; done', cwd });
      await fleet.delegatedWorker('--concurrency', '2');
      const job = await fleet.untilState('bad', 'dead');
      assert.match(String(job.lastError), reason);
      assert.equal((await fleet.history('bad'))[0]?.outcome, 'limit');
      assert.equal(processesMarked(`BAD=${what} ${cwd}`), 0, 'nothing of it is left');
      const big = path.join(cwd, 'big');
      if (fs.existsSync(big)) assert.equal(fs.statSync(big).size, 1024 * 1024);
      fs.writeFileSync(path.join(cwd, 'done'), '');
      assert.equal((await fleet.untilState('good', 'completed')).attempts, 1);
    });

  test('is retried like any failure', async (t) => {
    const fleet = await newFleet(t);
    await fleet.add({ id: 'a', command: BURN, cpu_time: 1, max_retries: 1, backoff_base: 0 });
    await fleet.delegatedWorker();
    const job = await fleet.untilState('a', 'dead');
    assert.equal(job.attempts, 2);
  });
});

describe('a job within its limits', () => {
  test('completes, has its nice value, and cannot open more files', async (t) => {
    const fleet = await newFleet(t);
    const limits = { memory: '1G', processes: 50, cpu_time: '1h', file_size: '1G', open_files: 64, nice: 7 };
    await fleet.add({ id: 'a', command: 'nice; ulimit -n; echo "$0 a  b"', limits });
    await fleet.delegatedWorker();
    await fleet.untilState('a', 'completed');
    const nice = Math.min(19, getPriority() + 7); // relative to the nice value of these tests
    assert.match(await fleet.log('a'), new RegExp(`^${nice}\\n64\\n\\S+ a {2}b$`, 'm'));
  });

  test('keeps its exit code, and its signal', async (t) => {
    const fleet = await newFleet(t);
    await fleet.add({ id: 'a', command: ['sh', '-c', 'exit 7'], memory: '1G', max_retries: 0 });
    await fleet.add({ id: 'b', command: 'kill -USR1 $$', memory: '1G', max_retries: 0 });
    await fleet.delegatedWorker();
    assert.equal((await fleet.untilState('a', 'dead')).exitCode, 7);
    assert.equal((await fleet.untilState('b', 'dead')).signal, 'SIGUSR1');
  });

  test('stops its remaining processes in other sessions', async (t) => {
    const fleet = await newFleet(t);
    const mark = `STRAY=${temporaryFolder(t)}`;
    const command = `${mark} setsid sleep 300 & until [ -e /proc/$! ]; do :; done`;
    await fleet.add({ id: 'a', command, memory: '1G' });
    await fleet.delegatedWorker();
    await fleet.untilState('a', 'completed');
    await until('the stray is gone', () => processesMarked(mark) === 0);
  });

  test('is also limited by its queue or a setting', async (t) => {
    const fleet = await newFleet(t);
    await fleet.queue.queues.set('strict', { confinement: { limits: { open_files: 50 } } });
    await fleet.queue.setSetting('limit_open_files', '60');
    await fleet.add({ id: 'a', command: 'ulimit -n', queue: 'strict', open_files: 100 });
    await fleet.add({ id: 'b', command: 'ulimit -n' });
    await fleet.delegatedWorker();
    await fleet.untilState('a', 'completed');
    await fleet.untilState('b', 'completed');
    assert.match(await fleet.log('a'), /^50$/m);
    assert.match(await fleet.log('b'), /^60$/m);
  });
});

describe('a limit that cannot be enforced here', () => {
  const canShare = delegating() !== null;

  test('prevents a job from starting, with the reason, unless best effort is set', async (t) => {
    const fleet = await newFleet(t);
    await fleet.add({ id: 'strict', command: 'true', cpu: '50%', max_retries: 0 });
    await fleet.add({ id: 'lax', command: 'true', cpu: '50%', limits: 'best-effort', max_retries: 0 });
    await fleet.delegatedWorker();
    await fleet.untilState('lax', 'completed');
    const strict = await fleet.untilState('strict', canShare ? 'completed' : 'dead');
    if (!canShare) assert.match(String(strict.lastError), /^could not start: cannot enforce cpu: .*cgroup/);
  });
});

test('files in the tmpfs of a sandbox count as memory of the job', async (t) => {
  const fleet = await newFleet(t);
  await fleet.worker();
  const fill = (at: string): string => `head -c 60000000 /dev/zero > ${at}/x`;
  const command = `${fill('/tmp')}; ${fill('/dev/shm')}; ${fill('/var/tmp')}; sleep 300`;
  const job = { command, sandbox: 'strict', memory: '150M', cwd: temporaryFolder(t), max_retries: 0 };
  await fleet.add({ id: 'filler', ...job });
  const { lastError } = await fleet.untilState('filler', 'dead');
  if ((await whyNoSandbox()) === null) assert.match(String(lastError), /^out of memory \(limit 150 MiB/);
});
