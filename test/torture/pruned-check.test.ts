// Whether a job that is gone may have been pruned as a dead one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBePruned } from '../../torture/checks/pruned.ts';
import type { Entry } from '../../torture/ledger.ts';

/** Each word is a line of the ledger: the kind, the pid and the exit code. */
const lines = (...words: string[]): Entry[] =>
  words.map((word, offset) => {
    const [kind, pid, note = ''] = word.split(' ');
    return {
      kind: kind as Entry['kind'],
      jobId: 'a',
      pid: Number(pid),
      at: offset,
      workerId: 'w',
      offset,
      note,
    };
  });

test('a job that succeeded is kept, and one that failed or never said how it ended may be pruned', () => {
  assert.equal(mayBePruned(lines('start 1', 'end 1 0')), false);
  assert.equal(mayBePruned(lines('start 1', 'end 1 3')), true);
  assert.equal(mayBePruned(lines('start 1')), true);
  assert.equal(mayBePruned([]), false);
});

test('a success counts as lost with its worker after two other workers in a row were lost', () => {
  assert.equal(mayBePruned(lines('start 1', 'start 2', 'start 3', 'end 3 0')), true);
  assert.equal(mayBePruned(lines('start 2', 'start 3', 'end 3 0')), false);
  assert.equal(mayBePruned(lines('start 1', 'start 2', 'end 2 3', 'start 3', 'end 3 0')), false);
});
