import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Candidate, decideUnique, insteadOf, keyOfCommand } from '../../src/job/flow/unique.ts';
import { rejected } from '../support/rejection.ts';

let position = 0;
const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  position: ++position,
  id,
  uniqueKey: 'k',
  ifExists: 'skip',
  inTheWay: [],
  ...more,
});
const there = [
  { seq: 1, id: 'old' },
  { seq: 2, id: 'new' },
];

const instead = (...candidates: Candidate[]) => Object.fromEntries(insteadOf(decideUnique(candidates).leftOut));

describe('a unique job', () => {
  it('is stored if no duplicate exists', () =>
    assert.deepEqual(decideUnique([candidate('a')]), { leftOut: [], replaced: [] }));

  it('is skipped in favour of the newest existing duplicate', () =>
    assert.deepEqual(instead(candidate('a', { inTheWay: there })), { a: 'new' }));

  it('replaces all existing duplicates', () =>
    assert.deepEqual(decideUnique([candidate('a', { inTheWay: there, ifExists: 'replace' })]), {
      leftOut: [],
      replaced: [
        { seq: 1, id: 'old', by: 'a' },
        { seq: 2, id: 'new', by: 'a' },
      ],
    }));

  it('is skipped in favour of an earlier one of its batch, and a replacing one takes the place of earlier ones', () =>
    assert.deepEqual(instead(candidate('a'), candidate('b'), candidate('c', { ifExists: 'replace' }), candidate('d')), {
      a: 'c',
      b: 'c',
      d: 'c',
    }));

  it('does not block jobs with another key', () =>
    assert.deepEqual(instead(candidate('a'), candidate('b', { uniqueKey: 'other' })), {}));

  it('is rejected on request if a duplicate exists or precedes it in its batch', () => {
    const error = { ifExists: 'error' } as const;
    assert.equal(
      rejected('not_unique', () => decideUnique([candidate('a', { ...error, inTheWay: there })])).details.id,
      'new',
    );
    assert.equal(rejected('not_unique', () => decideUnique([candidate('a'), candidate('b', error)])).details.id, 'a');
    assert.deepEqual(decideUnique([candidate('a', error), candidate('b')]).leftOut.length, 1);
  });

  it('has a key derived from its command, queue and directory', () => {
    const keys = [
      keyOfCommand('a b', 'q', '/'),
      keyOfCommand(['a', 'b'], 'q', '/'),
      keyOfCommand('a b', 'r', '/'),
      keyOfCommand('a b', 'q', '/tmp'),
      keyOfCommand('a b', 'q', null),
    ];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(keyOfCommand('a b', 'q', '/'), keys[0]);
  });
});
