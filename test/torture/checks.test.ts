// The checks of torture find what they look for: a crowd behind a gate, and a job that ran before its parents had ended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ranTooEarly, type Wait } from '../../torture/checks/order.ts';
import { type Entry, Ledger } from '../../torture/ledger.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const run = (ledger: Ledger, id: string, work: string, limit: number) =>
  spawn('sh', ['-c', ledger.command(work, { gates: [{ name: 'key:k', limit }] })], {
    env: { ...process.env, QUEUECTL_JOB_ID: id, QUEUECTL_WORKER_ID: 'w' },
  });

for (const [limit, crowds] of [
  [1, ['key:k 2 of 1']],
  [2, []],
] as const) {
  test(`two concurrent jobs under a limit of ${limit} are ${limit === 1 ? 'an excess' : 'allowed'}`, async (t) => {
    const ledger = new Ledger(temporaryFolder(t));
    const first = run(ledger, 'a', 'exec cat', limit);
    await until('the first has started', () => ledger.entries().length === 1);
    await once(run(ledger, 'b', 'true', limit), 'exit');
    first.stdin?.end();
    await once(first, 'exit');
    await once(run(ledger, 'c', 'true', limit), 'exit');
    const found = ledger.entries().filter(({ kind }) => kind === 'crowded');
    assert.deepEqual(found.map(({ note }) => note), crowds); // biome-ignore format: one line
  });
}

const line = (kind: Entry['kind'], jobId: string, note = ''): Entry => ({
  kind,
  jobId,
  pid: 1,
  at: 0,
  offset: 0,
  workerId: 'w',
  note,
});
const NOBODY = { retried: new Set<string>(), doubtful: new Set<string>() };
const waits = (rule: 'success' | 'end' | 'failure', onFailure: Wait['onFailure'] = 'cancel') =>
  new Map([['child', { edges: [{ jobs: ['p'], isGroup: false, rule }], onFailure }]]);
const parent = (code: string): Entry[] => [line('start', 'p'), line('end', 'p', code)];
const child = line('start', 'child');

test('a job that runs before its parent has finished ran too early, by every rule', () => {
  for (const rule of ['success', 'end', 'failure'] as const)
    assert.equal(ranTooEarly(waits(rule), [line('start', 'p'), child, line('end', 'p', '0')], NOBODY).length, 1);
});

test('after a failed parent a job runs unless its rule is success and its policy is cancel', () => {
  const found = (wait: ReadonlyMap<string, Wait>) => ranTooEarly(wait, [...parent('3'), child], NOBODY).length;
  assert.deepEqual([found(waits('success')), found(waits('success', 'run'))], [1, 0]);
  assert.deepEqual([found(waits('end')), found(waits('failure'))], [0, 0]);
});

test('jobs that were retried manually are ignored', () => {
  const retried = new Set(['p']);
  assert.deepEqual(ranTooEarly(waits('success'), [child, ...parent('0')], { ...NOBODY, retried }), []);
});
