import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../page/core/sentence.ts';

test('a sentence starts with a capital letter, but a name or a command stays unchanged', () => {
  for (const [text, expected] of [
    ['must be a whole number', 'Must be a whole number'],
    ['self-healing is on', 'Self-healing is on'],
    ['queuectl retry x', 'queuectl retry x'],
    ['success_codes of 0,3 means 0 and 3', 'success_codes of 0,3 means 0 and 3'],
    ['job-12 runs', 'job-12 runs'],
    ['mail:eu is paused', 'mail:eu is paused'],
    ['no such file: a.txt', 'No such file: a.txt'],
  ] as const)
    assert.equal(sentence(text), expected);
});
