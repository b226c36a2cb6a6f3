// Which jobs that are gone may have been pruned as dead ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBePruned, quarantinedIn } from '../../torture/checks/pruned.ts';
import type { Entry } from '../../torture/ledger.ts';

/** Each word is a line of the ledger: the kind and the exit code. */
const lines = (...words: string[]): Entry[] =>
  words.map((word, offset) => {
    const [kind, note = ''] = word.split(' ');
    return { kind: kind as Entry['kind'], jobId: 'a', pid: 1, at: offset, workerId: 'w', offset, note };
  });

test('a job that succeeded is kept, and one that failed or has no result may be pruned', () => {
  assert.equal(mayBePruned(lines('start', 'end 0'), false), false);
  assert.equal(mayBePruned(lines('start', 'end 3'), false), true);
  assert.equal(mayBePruned(lines('start'), false), true);
  assert.equal(mayBePruned([], false), false);
});

test('a success lost with its worker may be pruned if a rescue made the job dead', () => {
  const log = [
    '2026-11-18T15:08:33.989Z  w4g353s  rescued   b  from lost worker whbragv, now pending',
    '2026-11-18T15:11:22.514Z  www31qx  rescued   a  from lost worker wedyt22, now dead',
    '',
  ].join('\n');
  assert.deepEqual([...quarantinedIn(log)], ['a']);
  assert.equal(mayBePruned(lines('start', 'end 0'), quarantinedIn(log).has('a')), true);
});
