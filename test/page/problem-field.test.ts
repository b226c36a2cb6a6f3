// The sentences are those that the readers of src/ really say, so that a change of one that leads astray is noticed.

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
  return assert.fail('it was not refused');
}

test('what is wrong with a job is said at the field it is about', () => {
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

test('a sandbox that is not there, or not that of the queue, is said at the sandbox', () => {
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

test('what is wrong with a parameter is said at its field, and an unknown one at the recipe', () => {
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

test('what is about no field that is shown is about none', () => {
  assert.equal(fieldOf({ message: "'weight' must be from 1 to 9, not 0" }, FIELDS), null);
  assert.equal(fieldOf({ message: 'The server cannot be reached.' }, FIELDS), null);
  assert.equal(fieldOf({ code: 'recipe_not_found', message: "recipe 'x' not found" }, ['command']), null);
});
