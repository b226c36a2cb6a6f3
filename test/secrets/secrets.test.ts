// Secrets are sealed, and opened only with the key that they were sealed with.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { keyPath } from '../../src/secrets/key-file.ts';
import { seal, unseal } from '../../src/secrets/seal.ts';
import { openQueue } from '../support/library.ts';
import { rejection } from '../support/rejection.ts';

const VALUE = Buffer.from('correct horse battery');

test('a sealed value is opened by its key and name and by no other', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const sealed = seal(key, 'A', VALUE);
  assert.deepEqual(unseal(key, 'A', sealed), VALUE);
  assert.equal(unseal(other, 'A', sealed), null);
  assert.equal(unseal(key, 'B', sealed), null, 'it cannot be put in the place of another');
  assert.notEqual(seal(key, 'A', VALUE), sealed, 'the same value looks different each time');
  assert.doesNotMatch(sealed, /correct|horse/);
  for (const broken of ['', '1', '1:x', `${sealed.slice(0, -2)}AA`, sealed.replace(/^1/, '2'), sealed.slice(0, 60)])
    assert.equal(unseal(key, 'A', broken), null, broken);
});

test('a secret changed in the database is not handed out', async (t) => {
  const queue = await openQueue(t);
  const secrets = await queue.secrets();
  await secrets.set('A', VALUE, 'test');
  await secrets.set('B', Buffer.from('another value'), 'test');
  assert.deepEqual(await secrets.valueOf('A'), VALUE);
  const b = await queue.store.texts.secrets.get('B');
  assert.ok(b);
  await queue.store.texts.secrets.save({ ...b, name: 'A' }, true);
  const error = await rejection('secret_key_unusable', () => secrets.valueOf('A'));
  assert.match(error.message, /'A' was modified after encryption/);
});

test('a missing, different, invalid or exposed key is distinguished', async (t) => {
  const queue = await openQueue(t);
  const secrets = await queue.secrets();
  await secrets.set('A', VALUE, 'test');
  const path = keyPath(queue.place, queue.environment);
  const [key, problem] = [
    fs.readFileSync(path),
    async () => (await rejection('secret_key_unusable', () => secrets.valueOf('A'))).message,
  ];
  assert.equal(fs.statSync(path).mode & 0o777, 0o600);
  fs.chmodSync(path, 0o640);
  assert.match(await problem(), /other users can read the file/);
  fs.rmSync(path);
  assert.match(await problem(), /file not found/);
  await rejection('secret_key_unusable', () => secrets.set('B', VALUE, 'test'));
  assert.ok(!fs.existsSync(path), 'no second key is made where secrets need the first');
  assert.deepEqual(
    (await secrets.all()).map(({ isReadable }) => isReadable),
    [false],
  );
  fs.writeFileSync(path, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
  assert.match(await problem(), /was encrypted with another key/);
  await rejection('secret_key_unusable', () => secrets.set('B', VALUE, 'test'));
  fs.writeFileSync(path, 'short', { mode: 0o600 });
  assert.match(await problem(), /the file contains no valid key/);
  fs.writeFileSync(path, key);
  assert.deepEqual(await secrets.valueOf('A'), VALUE);
});

test('two clients that set the first secrets at once share one key', async (t) => {
  const queue = await openQueue(t);
  const both = await Promise.all([queue.secrets(), queue.secrets()]);
  await Promise.all(both.map((secrets, i) => secrets.set(`S${i}`, VALUE, 'test')));
  await Promise.all(both.map((secrets) => secrets.set('SAME', VALUE, 'test')));
  for (const name of ['S0', 'S1', 'SAME']) assert.deepEqual(await both[0]?.valueOf(name), VALUE);
});

test('a secret has a valid variable name and a value', async (t) => {
  const secrets = await (await openQueue(t)).secrets();
  for (const name of ['', 'a-b', '1a', 'a b', '../x', 'ä'])
    await rejection('invalid_secret', () => secrets.set(name, VALUE, 'test'));
  await rejection('invalid_secret', () => secrets.set('A', Buffer.alloc(0), 'test'));
  await rejection('invalid_secret', () => secrets.set('A', Buffer.alloc(65_537), 'test'));
  await rejection('secret_not_found', () => secrets.remove('A'));
  await rejection('secret_not_found', () => secrets.valueOf('A'));
});
