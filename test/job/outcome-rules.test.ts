// How rules for exit codes stand in a store.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type OutcomeRules, rulesOf, rulesText, USUAL_RULES } from '../../src/job/outcome-rules.ts';

suite('stored rules for exit codes', () => {
  const examples: [string, OutcomeRules][] = [
    ['success codes', { ...USUAL_RULES, successCodes: [0, 3] }],
    ['codes that are not retried', { ...USUAL_RULES, noRetryCodes: [2, 64] }],
    ['a code to be run later', { ...USUAL_RULES, snoozeCode: 75 }],
    ['a warning', { ...USUAL_RULES, warning: { signal: 'USR1', seconds: 60 } }],
    ['all', { successCodes: [1], noRetryCodes: [2], snoozeCode: 3, warning: { signal: 'HUP', seconds: 0.5 } }],
  ];
  for (const [name, rules] of examples) {
    test(`${name}: are read back as written`, () => {
      assert.deepEqual(rulesOf(rulesText(rules)), rules);
    });
  }

  test('take no space if they are the defaults', () => {
    assert.equal(rulesText(USUAL_RULES), null);
    assert.equal(rulesText(null), null);
    assert.equal(rulesOf(null), null);
  });

  test('that are unreadable are ignored', () => {
    for (const text of ['', '{', '7', 'null', '"x"']) assert.equal(rulesOf(text), null, text);
    assert.deepEqual(rulesOf('{"success_codes":"0","warn_signal":"KILL","warn_seconds":1}'), USUAL_RULES);
  });
});
