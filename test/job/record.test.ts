// What is stored may have been written by anybody: what can be read is read, and what cannot is named.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTask, type StoredTask } from '../../src/job/record.ts';

const stored: StoredTask = {
  command: 'true',
  isArgv: false,
  timeoutSeconds: null,
  cwd: '/',
  env: null,
  confinement: null,
};
const argv = (command: unknown): StoredTask => ({ ...stored, command, isArgv: true });

describe('a record as we write it', () => {
  test('is read as it is', () => {
    assert.deepEqual(readTask(stored), {
      command: 'true',
      timeoutSeconds: null,
      cwd: '/',
      env: {},
      confinement: null,
    });
    const full = { ...argv('["a","b c"]'), timeoutSeconds: 1.5, cwd: null, env: '{"A":"1"}' };
    assert.deepEqual(readTask(full), {
      command: ['a', 'b c'],
      timeoutSeconds: 1.5,
      cwd: null,
      env: { A: '1' },
      confinement: null,
    });
  });
});

describe('a record as nobody of us would write it', () => {
  const cases: [StoredTask, RegExp][] = [
    [argv('{broken'), /^its command /],
    [argv('[]'), /^its command /],
    [argv('["a",1]'), /^its command /],
    [argv('"a"'), /^its command /],
    [argv(null), /^its command /],
    [{ ...stored, command: '' }, /^its command /],
    [{ ...stored, confinement: '{broken' }, /^its confinement /],
    [{ ...stored, confinement: '[]' }, /^its confinement /],
    [{ ...stored, confinement: '{"sandbox":1}' }, /^its confinement /],
    [{ ...stored, command: 7 }, /^its command /],
    [{ ...stored, env: '{broken' }, /^its env /],
    [{ ...stored, env: '["A"]' }, /^its env /],
    [{ ...stored, env: '{"A":1}' }, /^its env /],
    [{ ...stored, env: 'null' }, /^its env /],
    [{ ...stored, timeoutSeconds: 'soon' }, /^its timeout_seconds /],
    [{ ...stored, cwd: 5 }, /^its cwd /],
  ];
  for (const [record, problem] of cases) {
    test(`can be shown, and its problem is named: ${JSON.stringify(record)}`, () => {
      const { malformed, ...task } = readTask(record);
      assert.match(malformed ?? '', problem);
      assert.ok(typeof task.command === 'string' || Array.isArray(task.command));
      assert.equal(typeof task.env, 'object');
    });
  }
});
