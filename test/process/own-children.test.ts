// A process whose children all belong to jobs or to Node: exits are reported, and children and orphans are reaped.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { before, test } from 'node:test';
import { makePosixSpawn } from '../../src/process/spawn/posix-spawn.ts';
import { waitedForByNode } from '../../src/process/spawn/node-children.ts';
import { until } from '../support/until.ts';

const starter = makePosixSpawn(true);
const nothing = fs.openSync('/dev/null', 'r+');

before(() => starter?.ready);

async function exitCodeOf(script: string): Promise<number | null> {
  assert.ok(starter);
  const child = starter({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: null,
    inherited: process.env,
    own: {},
    outputs: [nothing, nothing],
    notAfterMs: Number.POSITIVE_INFINITY,
  });
  return (await child.exit).exitCode;
}

const codes = Array.from({ length: 100 }, (_, code) => code);
const exitCodes = (): Promise<(number | null)[]> => Promise.all(codes.map((code) => exitCodeOf(`exit ${code}`)));

/** Zombies and running orphans. */
const children = (): number[] =>
  fs
    .readdirSync('/proc/self/task')
    .flatMap((thread) => fs.readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);

if (starter) {
  test('all simultaneous exits are reported, even before exitOf() is called', async () => {
    for (let round = 0; round < 5; round++) assert.deepEqual(await exitCodes(), codes);
    assert.deepEqual(children(), []);
  });

  test('children of Node are left to Node', async () => {
    const own = waitedForByNode(spawn('sh', ['-c', 'read line; exit 7'], { stdio: ['pipe', 'ignore', 'ignore'] }));
    const ended = once(own, 'exit');
    assert.deepEqual(await exitCodes(), codes);
    assert.deepEqual(children(), [own.pid]);
    own.stdin?.end('go on\n');
    assert.deepEqual(await ended, [7, null]);
    assert.deepEqual(await exitCodes(), codes);
  });

  test('orphans of jobs are reaped', async () => {
    const started = await Promise.all(codes.map(() => exitCodeOf('(sleep 0.01; exit 3) & exit 0')));
    assert.deepEqual(new Set(started), new Set([0]));
    await until('nobody is left', () => children().length === 0);
    assert.deepEqual(await exitCodes(), codes);
  });
}
