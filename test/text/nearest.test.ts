// "Did you mean": near enough to be meant, or nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../src/text/nearest.ts';

const known = ['command', 'priority', 'max_retries', 'max_attempts', 'run_at', 'id', 'env'];

const meant: [word: string, near: string][] = [
  ['comand', 'command'],
  ['commnad', 'command'],
  ['Command', 'command'],
  ['prioriti', 'priority'],
  ['max_retry', 'max_retries'],
  ['runat', 'run_at'],
  ['env', 'env'],
];
for (const [word, near] of meant) {
  test(`'${word}' suggests '${near}'`, () => assert.equal(nearest(word, known), near));
}

for (const word of ['zebra', 'xy', 'something else entirely', '']) {
  test(`'${word}' suggests nothing`, () => assert.equal(nearest(word, known), null));
}

test('a word of a million letters is handled quickly', () => {
  const before = performance.now();
  assert.equal(nearest('x'.repeat(1_000_000), known), null);
  assert.ok(performance.now() - before < 500);
});

test('without known words there is no suggestion', () => assert.equal(nearest('command', []), null));
