// The filter language: what a text means as data, and what is rejected by name.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { FILTER_FIELD_NAMES } from '../../src/filter/fields.ts';
import { parseFilter } from '../../src/filter/filter.ts';
import { aCharacter } from '../support/random-jobs.ts';
import { rejected as rejectedWith } from '../support/rejection.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const HOUR = 3_600_000;
const parse = (text: string): unknown => parseFilter(text, NOW);

/** The sentence and the hint. */
function rejected(text: string): string {
  const { message, hint } = rejectedWith('invalid_filter', () => parse(text));
  return `${message}\n${hint}`;
}

suite('a filter', () => {
  const meanings: readonly (readonly [string, unknown])[] = [
    ['', {}],
    ['   ', {}],
    ['state:dead', { states: ['dead'] }],
    ['STATE:Dead,failed', { states: ['dead', 'failed'] }],
    ['queue:mail', { queue: ['mail'] }],
    ['queue:mail,print', { queue: ['mail', 'print'] }],
    ['queue:a:b', { queue: ['a:b'] }],
    ['group:g tag:x', { and: [{ group: ['g'] }, { tag: ['x'] }] }],
    ['tag:x,y', { tag: ['x', 'y'] }],
    ['key:k', { key: ['k'] }],
    ['schedule:s', { schedule: ['s'] }],
    ['name:n', { name: ['n'] }],
    ['held:yes', { held: true }],
    ['held:no', { held: false }],
    ['id:k3f', { id: ['k3f'] }],
    ['error:"no such file"', { error: ['no such file'] }],
    ['error:"a, b",c', { error: ['a, b', 'c'] }],
    ['error:no\\ such\\,\\"file\\"', { error: ['no such,"file"'] }],
    ['error:err-fpydnc9q,err-r9n5vvbf', { fingerprint: ['err-fpydnc9q', 'err-r9n5vvbf'] }],
    ['error:err-else', { error: ['err-else'] }],
    ['older:1d', { before: NOW - 24 * HOUR }],
    ['newer:90m', { since: NOW - 1.5 * HOUR }],
    ['convert', { search: ['convert'] }],
    ['"two words"', { search: ['two words'] }],
    ['a,b', { search: ['a,b'] }],
    ['12:30', { search: ['12:30'] }],
    ['"state:dead"', { search: ['state:dead'] }],
    ['state\\:dead', { search: ['state:dead'] }],
    ['C\\temp\\', { search: ['C\\temp\\'] }],
    ["can't", { search: ["can't"] }],
    ['pre"fix and more"', { search: ['prefix and more'] }],
    ['é:x', { search: ['é:x'] }],
  ];

  for (const [text, meant] of meanings)
    test(`${JSON.stringify(text)} is valid`, () => assert.deepEqual(parse(text), meant));

  test('with several words requires all of them, also for one field', () => {
    assert.deepEqual(parse('state:dead  queue:mail\tid:a id:ab'), {
      and: [{ states: ['dead'] }, { queue: ['mail'] }, { id: ['a'] }, { id: ['ab'] }],
    });
  });

  test('finds any quoted text, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: aCharacter, minLength: 1 }), (text) => {
        const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
        assert.deepEqual(parse(quoted), { search: [text] });
        assert.deepEqual(parse(`error:${quoted}`), { error: [text] });
      }),
    );
  });
});

suite('a filter is rejected', () => {
  test('for an unknown field, with the nearest one and the way to search for the text', () => {
    assert.match(rejected('stat:dead'), /unknown field 'stat' in the filter.*did you mean 'state:'\?/s);
    assert.match(rejected('stat:dead'), new RegExp(FILTER_FIELD_NAMES.join(', ')));
    assert.match(rejected('http://host/x'), /unknown field 'http'.*"http:\/\/host\/x" in quotes/s);
    assert.match(rejected('constructor:x'), /unknown field 'constructor'/);
  });

  test('for an unknown state, with the nearest one', () => {
    assert.match(rejected('state:daed'), /unknown state 'daed'; known states: blocked, .*did you mean 'dead'\?/s);
    assert.match(rejected('state:dead,xyz'), /unknown state 'xyz'/);
  });

  test('for an invalid duration', () => {
    assert.match(rejected('older:soon'), /'older' must be a duration or a date, not 'soon'.*try 90s/s);
    assert.match(rejected('newer:1x'), /'newer' must be a duration or a date, not '1x'/);
    assert.match(rejected('older:1d,2d'), /'older' takes one duration/);
  });

  test('for a fingerprint next to a text', () => {
    assert.match(
      rejected('error:err-fpydnc9q,disk'),
      /'err-fpydnc9q' is an error fingerprint and cannot be combined with a text/,
    );
  });

  test('for a held value that is neither yes nor no', () => {
    for (const text of ['held:maybe', 'held:yes,no']) assert.match(rejected(text), /'held' must be yes or no, not/);
  });

  test('for a field without a value', () => {
    for (const text of ['state:', 'error:""', 'queue:a,', 'queue:,a'])
      assert.match(rejected(text), /lacks a value/, text);
  });

  test('for an unclosed quote', () => {
    assert.match(rejected('error:"no such'), /a quote is not closed in the filter: error:"no such/);
  });
});
