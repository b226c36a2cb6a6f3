// Errors of one cause have one fingerprint, whatever file, number or id they name; errors of different causes do not.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { errorPattern, fingerprintOf, isFingerprint } from '../../src/job/fingerprint.ts';
import { OUTCOMES } from '../../src/job/job.ts';
import { aCharacter } from '../support/random-jobs.ts';

const failed = { outcome: 'failed', exitCode: 1, signal: null } as const;
const of = (error: string): string | null => fingerprintOf(failed, error);

suite('two errors are of one kind', () => {
  const alike: readonly (readonly [string, string, string])[] = [
    ['for another file', "convert: unable to open '/a/b.png'", "convert: unable to open '/c/d e.png'"],
    ['for another path', 'cat: /tmp/x1: No such file', 'cat: ./some/where.txt: No such file'],
    ['for another number', 'exit code 1: 12 of 30 rows, 4.5 %', 'exit code 1: 7 of 2,000 rows, 0.25 %'],
    ['for another address', 'segfault at 0x7ffe12', 'segfault at 0x55d0aa91'],
    ['for another hash', 'no object 3f786850e387550f', 'no object 89e6c98d92887913'],
    ['for another time', 'at 2026-11-16T19:07:47.123Z: gone', 'at 2025-01-02 03:04:05: gone'],
    ['for another id', 'job k3f9x2 is locked', 'job 7qm0zz41 is locked'],
    ['for another UUID', 'user 9b2e1c1a-0000-4f6e-8b8b-1f1f1f1f1f1f', 'user 0a1b2c3d-1111-4222-8333-444455556666'],
    ['for another URL', 'GET https://a.example/x?y=1 failed', 'GET http://b.example:80/ failed'],
    ['for other spaces and capitals', 'Connection  Refused\n', 'connection refused'],
    ['for what follows far behind', `${'x '.repeat(150)}one`, `${'x '.repeat(150)}two`],
  ];
  for (const [why, one, other] of alike)
    test(why, () => {
      assert.equal(errorPattern(one), errorPattern(other));
      assert.equal(of(one), of(other));
    });
});

suite('two errors are of different kinds', () => {
  const unlike: readonly (readonly [string, string])[] = [
    ['connection refused', 'connection reset'],
    ["can't open it, won't try", "can't open it, don't try"],
    ['unsupported: utf8', 'unsupported: latin1'],
    ['', 'no space left on device'],
  ];
  for (const [one, other] of unlike) test(`'${one}' and '${other}'`, () => assert.notEqual(of(one), of(other)));

  test('when the command exited in another way', () => {
    const all = [
      fingerprintOf(failed, 'x'),
      fingerprintOf({ ...failed, exitCode: 2 }, 'x'),
      fingerprintOf({ outcome: 'signalled', exitCode: null, signal: 'SIGSEGV' }, 'x'),
      fingerprintOf({ outcome: 'timeout', exitCode: null, signal: null }, 'x'),
    ];
    assert.equal(new Set(all).size, all.length);
  });
});

test('a successful attempt has no fingerprint', () => {
  const without = OUTCOMES.filter((outcome) => fingerprintOf({ outcome, exitCode: null, signal: null }, 'x') === null);
  assert.deepEqual(without, ['completed', 'snoozed', 'cancelled', 'released']);
});

test('a fingerprint is recognised, and no other text is', () => {
  fc.assert(fc.property(fc.string({ unit: aCharacter }), (error) => isFingerprint(of(error) ?? '')));
  for (const text of ['', 'err-', 'err-12345', 'err-123456789', 'ERR-12345678', 'no such file', 'xerr-12345678'])
    assert.equal(isFingerprint(text), false, text);
});

test('stored fingerprints keep their meaning: these never change', () => {
  assert.equal(of('exit code 1: no such file'), 'err-fpydnc9q');
  assert.equal(
    fingerprintOf({ outcome: 'timeout', exitCode: null, signal: null }, 'timeout after 5 s'),
    'err-r9n5vvbf',
  );
});

test('a thousand different errors have as many fingerprints', () => {
  const words = Array.from(
    { length: 1000 },
    (_, i) => `cause ${[...String(i)].map((d) => 'abcdefghij'[Number(d)]).join('')}`,
  );
  assert.equal(new Set(words.map(of)).size, words.length);
});

test('a very long line is fingerprinted quickly', () => {
  const line = `${'a1'.repeat(500_000)} ${"'".repeat(500_000)}`;
  const before = performance.now();
  of(line);
  assert.ok(performance.now() - before < 1000);
});
