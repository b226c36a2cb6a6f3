// What is kept of secrets: nothing that could be turned back, and comparisons that tell nothing by their time.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hashOf, hashPassword, rejectPassword, isPassword, sameAs, newSecret } from '../../src/access/secrets.ts';

test('a password matches its hash however its characters are composed, and no other password matches', async () => {
  const hash = await hashPassword('pässwörd one');
  assert.match(hash, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.equal(await isPassword('pässwörd one', hash), true);
  assert.equal(await isPassword('pässwörd one'.normalize('NFD'), hash), true);
  for (const wrong of ['pässwörd on', 'pässwörd one ', '', hash]) assert.equal(await isPassword(wrong, hash), false);
});

test('hashing the same password twice gives two different hashes', async () => {
  assert.notEqual(await hashPassword('correct horse'), await hashPassword('correct horse'));
});

test('a malformed hash authenticates no password', async () => {
  for (const hash of ['', 'plain', 'scrypt$2$1$1$$', 'md5$1$1$1$a$b', 'scrypt$32768$8$3$c2FsdA$'])
    assert.equal(await isPassword('', hash), false, hash);
  assert.equal(await rejectPassword('anything'), false);
});

test('secrets are long and never repeat', () => {
  const secrets = new Set(Array.from({ length: 1000 }, newSecret));
  assert.equal(secrets.size, 1000);
  for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/);
});

test('secrets are compared by hashes of equal length in constant time, never with ===', () => {
  assert.deepEqual(['a', 'b', 'aa', ''].map(sameAs('a')), [true, false, false, false]);
  assert.equal(hashOf('a').length, hashOf('a much longer secret').length);
  for (const file of ['access/secrets.ts', 'access/accounts.ts', 'server/auth/gate.ts']) {
    const text = fs.readFileSync(path.join(import.meta.dirname, '../../src', file), 'utf8');
    assert.doesNotMatch(text, /(secret|token|password|hash|bearer)\s*[!=]==\s*(?!null|undefined)\w/i, file);
  }
});
