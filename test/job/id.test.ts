// Ids: what one may look like, and how one is made up.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { isValidId, newJobId, newWorkerId } from '../../src/job/id.ts';
import { anId } from '../support/random-jobs.ts';

test('1 to 128 letters, digits, dots, underscores, colons and dashes form an ID', () => {
  fc.assert(fc.property(anId, (id) => assert.ok(isValidId(id))));
  assert.ok(isValidId('x'.repeat(128)));
});

for (const id of [
  '',
  'x'.repeat(129),
  'a b',
  'a/b',
  '../a',
  'a\n',
  '\na',
  'a\0',
  'é',
  '🦊',
  'a,b',
  '~',
  '.',
  '..',
  '*',
  '.',
  '..',
]) {
  test(`${JSON.stringify(id.slice(0, 20))} is not an ID`, () => assert.ok(!isValidId(id)));
}

test('generated IDs are valid, short and easy to type', () => {
  for (let i = 0; i < 200; i++) {
    assert.match(newJobId(randomBytes), /^[0-9a-hjkmnp-tv-z]{10}$/);
    assert.match(newWorkerId(randomBytes), /^w[0-9a-hjkmnp-tv-z]{6}$/);
  }
});

test('generated IDs depend only on the given bytes', () => {
  assert.equal(
    newJobId((count) => new Uint8Array(count)),
    '0000000000',
  );
  assert.equal(
    newJobId((count) => new Uint8Array(count).fill(255)),
    'zzzzzzzzzz',
  );
  assert.equal(
    newWorkerId((count) => new Uint8Array(count).fill(32 + 10)),
    'waaaaaa',
  );
});

test('every character of a generated ID is equally likely', () => {
  const spelled = Array.from({ length: 256 }, (_, byte) => newJobId((count) => new Uint8Array(count).fill(byte)));
  const times = new Map<string, number>();
  for (const [letter = ''] of spelled) times.set(letter, (times.get(letter) ?? 0) + 1);
  assert.deepEqual(new Set(times.values()), new Set([8]));
  assert.equal(times.size, 32);
});
