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

describe('a record written by queuectl', () => {
  test('is read unchanged', () => {
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

describe('a record written by another program', () => {
  const cases: [StoredTask, RegExp][] = [
    [argv('{broken'), /^the command /],
    [argv('[]'), /^the command /],
    [argv('["a",1]'), /^the command /],
    [argv('"a"'), /^the command /],
    [argv(null), /^the command /],
    [{ ...stored, command: '' }, /^the command /],
    [{ ...stored, confinement: '{broken' }, /^invalid isolation settings/],
    [{ ...stored, confinement: '[]' }, /^invalid isolation settings/],
    [{ ...stored, confinement: '{"sandbox":1}' }, /^invalid isolation settings/],
    [{ ...stored, confinement: '{"recipe":{"name":"r"}}' }, /^invalid isolation settings/],
    [{ ...stored, confinement: '{"recipe":{"name":"r","params":{"a":1}}}' }, /^invalid isolation settings/],
    [{ ...stored, confinement: '{"secrets":[{"name":"A"}]}' }, /^invalid isolation settings/],
    [{ ...stored, command: 7 }, /^the command /],
    [{ ...stored, env: '{broken' }, /^env /],
    [{ ...stored, env: '["A"]' }, /^env /],
    [{ ...stored, env: '{"A":1}' }, /^env /],
    [{ ...stored, env: 'null' }, /^env /],
    [{ ...stored, timeoutSeconds: 'soon' }, /^timeout_seconds /],
    [{ ...stored, cwd: 5 }, /^cwd /],
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
