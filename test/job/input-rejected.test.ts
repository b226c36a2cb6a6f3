// What may not be said of a job: rejected by name, with what it must be, before anything is stored.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rejected } from '../support/rejection.ts';
import { read, withCommand } from './reading.ts';

type Row = [what: string, fields: object, message: RegExp, hint?: RegExp];

const NUL = 'a\0b';
const long = (count: number): string[] => Array(count).fill('x'.repeat(100_000));
const parsed = (json: string): object => JSON.parse(json);

// biome-ignore format: a row a line
const bad: Row[] = [
  ['an unknown field', { comand: 'x' }, /unknown field 'comand'/, /did you mean 'command'/],
  ['an unknown field in camelCase', { maxRetrys: 1 }, /unknown field 'maxRetrys'/, /did you mean 'max_retries'/],
  ['a field like no other', { zebra: 1 }, /unknown field 'zebra'/, /known fields: id, name, command/],
  ['__proto__', parsed('{"__proto__":1}'), /unknown field '__proto__'/],
  ['constructor', { constructor: 1 }, /unknown field 'constructor'/],
  ['a field with a terminal escape', { 'x\u001b[2J': 1 }, /unknown field 'x\uFFFD\[2J'/],
  ['a variable with a terminal escape', { env: { 'x\u001b[2J': 1 } }, /'env.x\uFFFD\[2J' must be a string/],

  ['a number for a command', { command: 5 }, /'command' must be a string .* or a list of strings .*, not 5/],
  ['an object for a command', { command: {} }, /'command' must be .* not an object/],
  ['a list with a number for a command', { command: ['a', 5] }, /'command\[1\]' must be a string, not 5/],
  ['a number for an id', { id: 7 }, /'id' must be a string, not 7/],
  ['a string for a priority', { priority: '5' }, /'priority' must be a whole number, not '5'/],
  ['true retries', { max_retries: true }, /'max_retries' must be a whole number, not true/],
  ['a number for run_at', { run_at: 1772445600 }, /'run_at' must be a time such as/],
  ['a word for a flag', { split_output: 'yes' }, /'split_output' must be true or false, not 'yes'/],
  ['a list for env', { env: ['A=1'] }, /'env' must be an object of names and strings, not a list/],
  ['a number in env', { env: { PORT: 80 } }, /'env.PORT' must be a string, not 80/],

  ['NaN', { max_retries: Number.NaN }, /'max_retries' must be a number, not NaN/],
  ['NaN seconds', { timeout_seconds: Number.NaN }, /'timeout_seconds' must be a number, not NaN/],
  ['1e99 retries', { max_retries: 1e99 }, /'max_retries' must be from 0 to 1000000, not 1e\+99/],
  ['1e999 retries', parsed('{"max_retries":1e999}'), /'max_retries' must be from 0 to/],
  ['1e99 seconds', { timeout: 1e99 }, /'timeout' must be from/],
  ['negative retries', { max_retries: -1 }, /'max_retries' must be from 0 to/],
  ['a negative backoff', { backoff_base: -2 }, /'backoff_base' must be from 0 to/],
  ['a negative timeout', { timeout_ms: -5 }, /'timeout_ms' must be from 1 to/],
  ['a negative delay', { delay_seconds: -1 }, /'delay_seconds' must be from 0/],
  ['no attempts at all', { max_attempts: 0 }, /'max_attempts' must be from 1 to/],
  ['a timeout of nothing', { timeout_seconds: 0 }, /'timeout_seconds' must be from 0.001/],
  ['a broken priority', { priority: 1.5 }, /'priority' must be a whole number, not 1.5/],
  ['a priority beyond 32 bits', { priority: 2 ** 31 }, /'priority' must be from -2147483648 to 2147483647/],
  ['a priority below 32 bits', { priority: -(2 ** 31) - 1 }, /'priority' must be from -2147483648/],

  ['a NUL byte in the command', { command: NUL }, /'command' has a NUL byte/],
  ['a NUL byte in an argument', { command: ['echo', NUL] }, /'command\[1\]' has a NUL byte/],
  ['a NUL byte in the id', { id: NUL }, /'id' has a NUL byte/],
  ['a NUL byte in the folder', { cwd: NUL }, /'cwd' has a NUL byte/],
  ['a NUL byte in the environment', { env: { A: NUL } }, /'env.A' has a NUL byte/],
  ['a NUL byte in the name of a variable', { env: { [NUL]: 'x' } }, /a name in env' has a NUL byte/],
  ['half a character', { command: 'echo \ud800' }, /'command' is not valid Unicode/],

  ['a slash in the id', { id: '../../etc/x' }, /'id' '..\/..\/etc\/x' has characters that an id cannot/, /1 to 128 characters of/],
  ['an id of 500 characters', { id: 'x'.repeat(500) }, /'id' .* is 500 characters long/, /1 to 128 characters of/],
  ['an empty id', { id: '' }, /'id' is empty/],
  ['a space in the queue', { queue: 'a b' }, /'queue' 'a b' has characters that a queue name cannot/],
  ['a space in a tag', { tags: ['a', 'b c'] }, /'tags' 'b c' has characters that a tag cannot/, /1 to 128 characters of/],
  ['a comma in a tag', { tag: 'a,b' }, /'tag' 'a,b' has characters that a tag cannot/],
  ['a tag that is a number', { tags: [1] }, /'tags' must be a string, not 1/],
  ['too many tags', { tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }, /'tags' has 101 tags; the maximum is 100/],
  ['an empty folder', { cwd: '' }, /'cwd' is empty/],
  ['a name with = in env', { env: { 'A=B': 'x' } }, /'A=B' cannot be the name/],
  ['a nameless variable', { env: { '': 'x' } }, /'' cannot be the name/],

  ['a run_at that is no date', { run_at: 'someday' }, /'run_at' 'someday' is not a time/, /\+5m/],
  ['a run_at on February 30', { run_at: '2026-02-30T00:00:00Z' }, /is not a time/],
  ['a run_at in local words', { run_at: 'tomorrow 9:00' }, /is not a time/, /on the command line/],
  ['a timeout that is no duration', { timeout: 'soon' }, /'timeout' 'soon' is not a duration/, /try 90s, 5m/],
  ['a strategy that is none', { backoff_strategy: 'random' }, /one of exponential, linear, fixed, not 'random'/],

  ['run_at and delay', { run_at: '+1m', delay: '1m' }, /'run_at' and 'delay' set the same field/, /use only one/],
  ['both spellings', { max_retries: 1, maxRetries: 1 }, /'max_retries' and 'maxRetries' set the same field/],
  ['max_retries and max_attempts', { max_retries: 1, max_attempts: 2 }, /set the same field/],

  ['a state it cannot begin in', { state: 'completed' }, /'state' .* only be "pending", not 'completed'/, /omit/],
  ['attempts it has not had', { attempts: 2 }, /'attempts' .* only be 0, not 2/, /omit 'attempts'/],

  ['a command too long to run', { command: 'x'.repeat(131_072) }, /longer than the 131071 bytes/, /in a file/],
  ['more arguments than fit', { command: long(20) }, /'command' is \d+ bytes long in total; the maximum is 1048576/],
  ['more environment than fits', { env: { ...long(20) } }, /'env' is \d+ bytes long in total; the maximum is 1048576/],
];

describe('a job is rejected with the field and its requirement', () => {
  for (const [what, fields, message, hint] of bad) {
    test(`for ${what}`, () => {
      const error = rejected('invalid_job', () => read(withCommand(fields)));
      assert.match(error.message, message);
      if (hint) assert.match(error.hint ?? '', hint);
      assert.equal(error.exitCode, 2);
    });
  }

  const outOnly = [
    'interruptions', 'created_at', 'updated_at', 'started_at', 'finished_at', 'duration_ms', 'exit_code', 'signal',
    'last_error', 'locked_by', 'locked_at', 'log_path', 'history', 'createdAt', 'exitCode',
  ]; // biome-ignore format: a list of words
  for (const field of outOnly) {
    test(`for ${field}, which users cannot set`, () => {
      const { message } = rejected('invalid_job', () => read(withCommand({ [field]: 1 })));
      assert.match(message, new RegExp(`'${field}' is set by queuectl`));
    });
  }
});

describe('a job is rejected', () => {
  for (const raw of [{}, { command: '' }, { command: ' \n ' }, { command: [] }, { command: [''] }, { command: null }]) {
    test(`for having no command: ${JSON.stringify(raw)}`, () => {
      assert.match(rejected('command_required', () => read(raw)).message, /command required/);
    });
  }

  for (const [raw, is] of [
    ['sleep 2', "'sleep 2'"],
    [[], 'a list'],
    [null, 'null'],
    [5, '5'],
  ] as const) {
    test(`for being ${is}`, () => {
      const { message, hint } = rejected('invalid_job', () => read(raw));
      assert.equal(message, `a job must be a JSON object, not ${is}`);
      assert.match(hint ?? '', /\{"command":"sleep 2"\}/);
    });
  }

  test('with a short message without control characters, whatever it contained', () => {
    const { message } = rejected('invalid_job', () => read(withCommand({ id: `\u001b[31m${'x'.repeat(300)}` })));
    assert.doesNotMatch(message, /\p{Cc}/u);
    assert.ok(message.length < 150, message);
  });
});
