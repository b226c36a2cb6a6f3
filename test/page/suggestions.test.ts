import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, suggestionsFor, wordAt } from '../../page/screens/jobs/suggestions.ts';

const wordsFor = (word: string, known = {}): string[] => suggestionsFor(word, known).map((one) => one.word);

test('the start of a word suggests fields, and a field its values', () => {
  assert.deepEqual(wordsFor('st'), ['state:']);
  assert.deepEqual(wordsFor('state:de'), ['state:dead']);
  assert.deepEqual(wordsFor('state:dead,fa'), ['state:dead,failed']);
  assert.deepEqual(wordsFor('held:'), ['held:yes', 'held:no']);
  assert.deepEqual(wordsFor('queue:', { queue: ['mail', 'a b'] }), ['queue:mail', 'queue:"a b"']);
  assert.deepEqual(wordsFor('nonsense:'), []);
});

test('a value that is already present is not suggested', () => {
  assert.ok(!wordsFor('state:dead,').includes('state:dead,dead'));
});

test('the word at the caret includes its quotes', () => {
  assert.deepEqual(wordAt('state:dead que', 14), { start: 11, word: 'que' });
  assert.deepEqual(wordAt('error:"no such', 14), { start: 0, word: 'error:"no such' });
  assert.deepEqual(wordAt('a  ', 3), { start: 3, word: '' });
});

test('a suggestion replaces the word, and a space follows a complete one', () => {
  assert.deepEqual(completed('st queue:mail', 2, 'state:'), { text: 'state:queue:mail', caret: 6 });
  assert.deepEqual(completed('state:de', 8, 'state:dead'), { text: 'state:dead ', caret: 11 });
});
