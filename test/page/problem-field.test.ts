// Uses the real messages of src/, so that a changed message that no longer matches fails a test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../page/core/problem-field.ts';
import { checkConfinement } from '../../src/intake/isolation-check.ts';
import { parseJob } from '../../src/job/input/input.ts';
import { fillRecipe } from '../../src/job/isolation/recipe.ts';
import { readRecipe } from '../../src/job/isolation/recipe-text.ts';
import { Settings } from '../../src/settings/settings.ts';

const FIELDS = ['command', 'queue', 'priority', 'run_at', 'timeout', 'tags', 'id', 'cwd', 'limits.memory', 'limits.cpu_time',
  'limits.processes', 'limits.io_class', 'sandbox', 'user', 'secrets', 'recipe', 'params.size', 'params.in',
]; // biome-ignore format: a list of words

const context = {
  now: 0,
  zone: 'utc',
  newId: () => 'x',
  cwd: '/',
  defaults: { maxRetries: 0, timeoutSeconds: null },
} as const;

const parse = (said: Record<string, unknown>) => parseJob({ command: 'true', ...said }, {}, context);

function fieldFor(act: () => unknown): string | null {
  try {
    act();
  } catch (error) {
    return fieldOf(error, FIELDS);
  }
  return assert.fail('it was not rejected');
}

test('an error of a job appears at its field', () => {
  const wrong: readonly [Record<string, unknown>, string][] = [
    [{ command: '' }, 'command'],
    [{ queue: 'a b' }, 'queue'],
    [{ priority: 'high' }, 'priority'],
    [{ timeout: 'soon' }, 'timeout'],
    [{ run_at: 'later' }, 'run_at'],
    [{ tags: ['a b'] }, 'tags'],
    [{ id: 'a b' }, 'id'],
    [{ limits: { memory: 'lots' } }, 'limits.memory'],
    [{ limits: { memory: '1' } }, 'limits.memory'],
    [{ limits: { cpu_time: 'long' } }, 'limits.cpu_time'],
    [{ limits: { processes: 0 } }, 'limits.processes'],
    [{ limits: { io_class: 'fast' } }, 'limits.io_class'],
    [{ sandbox: 'a b' }, 'sandbox'],
    [{ user: 'a b' }, 'user'],
    [{ secrets: ['A-B'] }, 'secrets'],
    [{ secrets: ['A=X', 'B=X'] }, 'secrets'],
    [{ secrets: ['A=QUEUECTL_A'] }, 'secrets'],
  ];
  for (const [said, field] of wrong)
    assert.equal(
      fieldFor(() => parse(said)),
      field,
      JSON.stringify(said),
    );
});

test('an unknown sandbox, or one other than the queue’s, is an error of the sandbox field', () => {
  const settings = new Settings({ 'confinement:web': '{"sandbox":"strict","user":"www"}' });
  const check = (said: Record<string, unknown>) => checkConfinement([parse(said)], settings);
  assert.equal(
    fieldFor(() => check({ sandbox: 'stric' })),
    'sandbox',
  );
  assert.equal(
    fieldFor(() => check({ queue: 'web', sandbox: 'none' })),
    'sandbox',
  );
  assert.equal(
    fieldFor(() => check({ queue: 'web', user: 'ann' })),
    'user',
  );
});

test('an error of a parameter appears at its field, and an unknown parameter at the recipe', () => {
  const recipe = readRecipe('resize', ['convert', '{in:path}', '{size:int(1..10)}']);
  assert.equal(
    fieldFor(() => fillRecipe(recipe, { in: 'a', size: '11' }, '/')),
    'params.size',
  );
  assert.equal(
    fieldFor(() => fillRecipe(recipe, { size: '1' }, '/')),
    'params.in',
  );
  assert.equal(
    fieldFor(() => fillRecipe(recipe, { in: 'a', size: '1', more: 'x' }, '/')),
    'recipe',
  );
});

test('an error about a field that is not shown belongs to no field', () => {
  assert.equal(fieldOf({ message: "'weight' must be from 1 to 9, not 0" }, FIELDS), null);
  assert.equal(fieldOf({ message: 'The server cannot be reached.' }, FIELDS), null);
  assert.equal(fieldOf({ code: 'recipe_not_found', message: "recipe 'x' not found" }, ['command']), null);
});
