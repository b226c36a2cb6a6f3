// Checks which thread of a worker starts its commands. The fallback is silent, so a broken fast path would go
// unnoticed. The system lists the children of each thread.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { canStartInThread } from '../../src/process/spawn/posix-spawn.ts';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const WITHOUT_FFI = { NODE_OPTIONS: '--no-experimental-ffi' };
const RUNNING = { command: 'echo $$ >> pids; exec sleep 60' };

const isFastHere = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

/** Returns the thread that started this child, or null. */
function starterOf(pid: number, worker: number): number | null {
  const threads = fs.readdirSync(`/proc/${worker}/task`).map(Number);
  const childrenOf = (thread: number): number[] =>
    fs.readFileSync(`/proc/${worker}/task/${thread}/children`, 'utf8').split(' ').map(Number);
  return threads.find((thread) => childrenOf(thread).includes(pid)) ?? null;
}

test('the Node of this repository can start commands in a thread', () => {
  assert.equal(canStartInThread(), isFastHere);
});

test('a worker starts commands in another thread once that is ready', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.worker('--concurrency', '1000');
  const isStartedElsewhere = async (): Promise<boolean> => {
    await fleet.add(RUNNING);
    const pids = await fleet.untilLines('pids', fleet.lines('pids').length + 1);
    const starter = starterOf(Number(pids.at(-1)), worker.pid);
    return starter !== null && starter !== worker.pid;
  };
  if (isFastHere) await until('a command is started by another thread', isStartedElsewhere);
  else assert.equal(await isStartedElsewhere(), false);
});

test('commands are started in the main thread if Node has no node:ffi', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.workerWith(WITHOUT_FFI, '--concurrency', '5');
  await fleet.add(RUNNING, RUNNING, RUNNING);
  for (const pid of await fleet.untilLines('pids', 3)) assert.equal(starterOf(Number(pid), worker.pid), worker.pid);
});

test('doctor reports how commands are started, and the slower way is not a failure', async (t) => {
  const fleet = await newFleet(t);
  const fast = /ok +commands +commands start through posix_spawn in a thread\n/;
  const slow =
    /ok +commands +commands start through Node's spawn, which is slower\n +→ use Node 26 on 64-bit Linux to start commands faster\n/;
  assert.match(await fleet.cli.text('doctor'), isFastHere ? fast : slow);
  const { code, stdout } = await fleet.cli.run(['doctor'], { env: WITHOUT_FFI });
  assert.match(stdout, slow);
  assert.equal(code, 0);
});

test('doctor reports how commands are started as JSON', async (t) => {
  const fleet = await newFleet(t);
  const { stdout } = await fleet.cli.run(['doctor', '--json'], { env: WITHOUT_FFI });
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { name: string }[] };
  assert.equal(ok, true);
  assert.deepEqual(
    checks.find(({ name }) => name === 'commands'),
    {
      name: 'commands',
      status: 'ok',
      message: "commands start through Node's spawn, which is slower",
      hint: 'use Node 26 on 64-bit Linux to start commands faster',
      command: null,
    },
  );
});
