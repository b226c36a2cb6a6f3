// What a user may say of a job: what is refused and with which words, which names mean the same, what is filled in.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { QueueError } from '../../src/errors.ts';
import { INPUT_FIELDS, type InputContext, parseJob } from '../../src/job/input.ts';
import type { NewJob } from '../../src/job/job.ts';
import { aNewJob, T0 } from '../support/jobs.ts';
import { refused } from '../support/refusal.ts';

const context: InputContext = {
  now: T0,
  zone: 'local',
  newId: () => 'made-up',
  cwd: '/home/me',
  defaults: { maxRetries: 3, timeoutSeconds: null },
};
const read = (raw: unknown, overrides: Record<string, unknown> = {}): NewJob => parseJob(raw, overrides, context);
const withCommand = (fields: object): object => ({ command: 'true', ...fields });
const nul = 'a\0b';

describe('a job is refused, in words that name the field and what it must be,', () => {
  const bad: [what: string, fields: unknown, message: RegExp, hint?: RegExp][] = [
    ['an unknown field', withCommand({ comand: 'x' }), /unknown field 'comand'/, /did you mean 'command'/],
    ['an unknown field in camelCase', withCommand({ maxRetrys: 1 }), /unknown field 'maxRetrys'/, /'max_retries'/],
    ['a field like no other', withCommand({ zebra: 1 }), /unknown field 'zebra'/, /known fields: id, command/],
    ['__proto__ as a field', JSON.parse('{"command":"x","__proto__":1}'), /unknown field '__proto__'/],
    ['constructor as a field', withCommand({ constructor: 1 }), /unknown field 'constructor'/],
    ['a field with a terminal escape', withCommand({ 'x\u001b[2J': 1 }), /unknown field 'x\uFFFD\[2J'/],
    ['a number for a command', { command: 5 }, /'command' must be a string .* or a list of strings/],
    ['an object for a command', { command: {} }, /'command' must be .* not an object/],
    ['a list with a number for a command', { command: ['a', 5] }, /'command\[1\]' must be a string, not 5/],
    ['a string for a priority', withCommand({ priority: '5' }), /'priority' must be a whole number, not '5'/],
    ['a broken priority', withCommand({ priority: 1.5 }), /'priority' must be a whole number, not 1.5/],
    ['a priority beyond 32 bits', withCommand({ priority: 2 ** 31 }), /'priority' must be from -2147483648 to 2147483647/],
    ['a priority below 32 bits', withCommand({ priority: -(2 ** 31) - 1 }), /'priority' must be from -2147483648/],
    ['NaN', withCommand({ max_retries: Number.NaN }), /'max_retries' must be a number, not NaN/],
    ['NaN seconds', withCommand({ timeout_seconds: Number.NaN }), /'timeout_seconds' must be a number/],
    ['negative retries', withCommand({ max_retries: -1 }), /'max_retries' must be from 0 to/],
    ['1e99 retries', withCommand({ max_retries: 1e99 }), /'max_retries' must be from 0 to 1000000, not 1e\+99/],
    ['1e999 retries', withCommand(JSON.parse('{"max_retries":1e999}')), /'max_retries' must be from 0 to/],
    ['true retries', withCommand({ max_retries: true }), /'max_retries' must be a whole number, not true/],
    ['no attempts at all', withCommand({ max_attempts: 0 }), /'max_attempts' must be from 1 to/],
    ['a negative backoff', withCommand({ backoff_base: -2 }), /'backoff_base' must be from 0 to/],
    ['a strategy that is none', withCommand({ backoff_strategy: 'random' }), /one of exponential, linear, fixed/],
    ['a timeout of nothing', withCommand({ timeout_seconds: 0 }), /'timeout_seconds' must be from 0.001/],
    ['a negative timeout', withCommand({ timeout_ms: -5 }), /'timeout_ms' must be from 1 to/],
    ['1e99 seconds', withCommand({ timeout: 1e99 }), /'timeout' must be from/],
    ['a timeout that is no duration', withCommand({ timeout: 'soon' }), /'timeout' 'soon' is not a duration/, /5m/],
    ['a NUL byte in the command', { command: nul }, /'command' has a NUL byte/],
    ['a NUL byte in an argument', { command: ['echo', nul] }, /'command\[1\]' has a NUL byte/],
    ['a NUL byte in the id', withCommand({ id: nul }), /'id' has a NUL byte/],
    ['a NUL byte in the folder', withCommand({ cwd: nul }), /'cwd' has a NUL byte/],
    ['a NUL byte in the environment', withCommand({ env: { A: nul } }), /'env.A' has a NUL byte/],
    ['half a character', { command: 'echo \ud800' }, /'command' is not valid Unicode/],
    ['a slash in the id', withCommand({ id: '../../etc/x' }), /'id' '..\/..\/etc\/x' has characters/, /1 to 128 of/],
    ['an id of 500 characters', withCommand({ id: 'x'.repeat(500) }), /'id' .* is 500 characters long/, /1 to 128 of/],
    ['an empty id', withCommand({ id: '' }), /'id' is empty/],
    ['a number for an id', withCommand({ id: 7 }), /'id' must be a string, not 7/],
    ['a space in the queue', withCommand({ queue: 'a b' }), /'queue' 'a b' has characters that a queue name cannot/],
    ['a run_at that is no date', withCommand({ run_at: 'someday' }), /'run_at' 'someday' is not a time/, /\+5m/],
    ['a run_at on February 30', withCommand({ run_at: '2026-02-30T00:00:00Z' }), /is not a time/],
    ['a number for run_at', withCommand({ run_at: 1772445600 }), /'run_at' must be a time such as/],
    ['local talk in JSON', withCommand({ run_at: 'tomorrow 9:00' }), /is not a time/, /on the command line/],
    ['a negative delay', withCommand({ delay_seconds: -1 }), /'delay_seconds' must be from 0/],
    ['run_at and delay', withCommand({ run_at: '+1m', delay: '1m' }), /'run_at' and 'delay' say the same/, /keep one/],
    ['both spellings', withCommand({ max_retries: 1, maxRetries: 1 }), /'max_retries' and 'maxRetries' say the same/],
    ['max_retries and max_attempts', withCommand({ max_retries: 1, max_attempts: 2 }), /say the same/],
    ['a list for env', withCommand({ env: ['A=1'] }), /'env' must be an object of names and strings, not a list/],
    ['a number in env', withCommand({ env: { PORT: 80 } }), /'env.PORT' must be a string, not 80/],
    ['a name with = in env', withCommand({ env: { 'A=B': 'x' } }), /'A=B' cannot be the name/],
    ['a nameless variable', withCommand({ env: { '': 'x' } }), /cannot be the name/],
    ['an empty folder', withCommand({ cwd: '' }), /'cwd' is empty/],
    ['a state it cannot begin in', withCommand({ state: 'completed' }), /'state' .* only be "pending", not 'completed'/],
    ['attempts it has not had', withCommand({ attempts: 2 }), /'attempts' .* only be 0, not 2/, /leave 'attempts' out/],
    ['a command too long to run', { command: 'x'.repeat(131_072) }, /longer than the 131071 bytes/, /in a file/],
    ['more arguments than fit', { command: Array(20).fill('x'.repeat(100_000)) }, /over 1048576/],
    ['more environment than fits', withCommand({ env: bigEnv() }), /over 1048576/],
    ['a string instead of a job', 'sleep 2', /must be a JSON object, not 'sleep 2'/, /\{"command":"sleep 2"\}/],
    ['a list instead of a job', [], /must be a JSON object, not a list/],
    ['null instead of a job', null, /must be a JSON object, not null/],
    ['a number instead of a job', 5, /must be a JSON object, not 5/],
  ];
  for (const [what, raw, message, hint] of bad) {
    test(`for ${what}`, () => {
      const error = refused('invalid_job', () => read(raw));
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
    test(`for ${field}, which is not for a user to set`, () => {
      const { message } = refused('invalid_job', () => read(withCommand({ [field]: 1 })));
      assert.match(message, new RegExp(`'${field}' is set by queuectl`));
    });
  }

  for (const raw of [{}, { command: '' }, { command: ' \n ' }, { command: [] }, { command: [''] }, { command: null }]) {
    test(`for having no command: ${JSON.stringify(raw)}`, () => {
      assert.match(refused('command_required', () => read(raw)).message, /command required/);
    });
  }

  test('and what is shown of it has no control characters and is short', () => {
    const { message } = refused('invalid_job', () => read(withCommand({ id: `\u001b[31m${'x'.repeat(300)}` })));
    assert.doesNotMatch(message, /\p{Cc}/u);
    assert.ok(message.length < 150, message);
  });

  function bigEnv(): Record<string, string> {
    return Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`V${i}`, 'x'.repeat(100_000)]));
  }
});

describe('other names mean the same:', () => {
  const same: [name: string, value: unknown, field: keyof NewJob, means: unknown][] = [
    ['max_attempts', 5, 'maxRetries', 4],
    ['maxAttempts', 1, 'maxRetries', 0],
    ['maxRetries', 7, 'maxRetries', 7],
    ['base_backoff', 1.5, 'backoffBase', 1.5],
    ['baseBackoff', 3, 'backoffBase', 3],
    ['backoffBase', 0, 'backoffBase', 0],
    ['backoffStrategy', 'linear', 'backoffStrategy', 'linear'],
    ['timeout', 90, 'timeoutSeconds', 90],
    ['timeout', '5m', 'timeoutSeconds', 300],
    ['timeout_ms', 1500, 'timeoutSeconds', 1.5],
    ['timeoutMs', 1, 'timeoutSeconds', 0.001],
    ['timeoutSeconds', 2.5, 'timeoutSeconds', 2.5],
    ['available_at', '2026-12-24T18:00:00', 'runAt', Date.parse('2026-12-24T18:00:00Z')],
    ['availableAt', '+30s', 'runAt', T0 + 30_000],
    ['next_run_at', '+5m', 'runAt', T0 + 300_000],
    ['nextRunAt', 'now', 'runAt', T0],
    ['runAt', '2026-12-24T18:00:00+01:00', 'runAt', Date.parse('2026-12-24T17:00:00Z')],
    ['delay_seconds', 1.5, 'runAt', T0 + 1500],
    ['delaySeconds', 0, 'runAt', T0],
    ['delay', '90s', 'runAt', T0 + 90_000],
    ['delay', 90, 'runAt', T0 + 90_000],
  ];
  for (const [name, value, field, means] of same) {
    test(`${name} ${JSON.stringify(value)} is ${field} ${means}`, () => {
      assert.equal(read(withCommand({ [name]: value }))[field], means);
    });
  }
});

describe('what is not said', () => {
  test('is filled in', () => {
    assert.deepEqual(read({ command: 'true' }), {
      id: 'made-up',
      command: 'true',
      queue: 'default',
      priority: 0,
      maxRetries: 3,
      backoffBase: null,
      backoffStrategy: null,
      timeoutSeconds: null,
      runAt: null,
      cwd: '/home/me',
      env: {},
    });
  });

  test('and null is the same as not said', () => {
    const nulls = Object.fromEntries(INPUT_FIELDS.map((field) => [field, null]));
    assert.deepEqual(read({ ...nulls, command: 'true' }), read({ command: 'true' }));
  });

  test('the words of a new job may be said: pending, no attempts', () => {
    assert.deepEqual(read(withCommand({ state: 'pending', attempts: 0 })), read(withCommand({})));
  });

  test('a relative folder is taken from the current one', () => {
    assert.equal(read(withCommand({ cwd: 'src/../bin' })).cwd, '/home/me/bin');
    assert.equal(read(withCommand({ cwd: '/srv' })).cwd, '/srv');
  });

  test('where no folder is known there is none', () => {
    assert.equal(parseJob({ command: 'true' }, {}, { ...context, cwd: null }).cwd, null);
  });
});

describe('a flag', () => {
  test('wins over the field, whatever name either used', () => {
    assert.equal(read(withCommand({ maxRetries: 1 }), { max_attempts: 10 }).maxRetries, 9);
    assert.equal(read(withCommand({ run_at: '2027-01-01' }), { delay: '5s' }).runAt, T0 + 5000);
    assert.equal(read(withCommand({ id: 'a' }), { id: 'b' }).id, 'b');
  });

  test('leaves the other fields as they are', () => {
    const { queue, priority } = read(withCommand({ queue: 'mail', priority: 5 }), { priority: 9 });
    assert.deepEqual([queue, priority], ['mail', 9]);
  });

  test('that was not given changes nothing', () => {
    assert.equal(read(withCommand({ priority: 5 }), { priority: undefined }).priority, 5);
  });

  test('reads a time without a zone as local, where JSON reads it as UTC', () => {
    const local = new Date(2026, 11, 24, 18).getTime();
    assert.equal(read(withCommand({}), { run_at: '2026-12-24 18:00' }).runAt, local);
    assert.equal(read(withCommand({}), { run_at: 'tomorrow 9:00' }).runAt, new Date(2026, 2, 3, 9).getTime());
    assert.equal(read(withCommand({ run_at: '2026-12-24 18:00' })).runAt, Date.parse('2026-12-24T18:00:00Z'));
  });

  test('does not excuse a bad field it overrides', () => {
    refused('invalid_job', () => read(withCommand({ priority: 'high' }), { priority: 1 }));
  });
});

describe('any input', () => {
  test('that is valid is read exactly: quotes, newlines, emoji, dollars and all', () => {
    fc.assert(
      fc.property(aNewJob, (job) => {
        const said = JSON.parse(JSON.stringify(spell(job)));
        const expected = { ...job, cwd: job.cwd ?? context.cwd };
        assert.deepEqual(read(said), expected);
      }),
    );
  });

  test('is a job, or a QueueError with words in it', () => {
    fc.assert(fc.property(fc.jsonValue(), (raw) => parsesOrExplains(raw)));
    fc.assert(fc.property(aJobLikeThing(), (raw) => parsesOrExplains(raw)), { numRuns: 1000 });
  });

  function spell(job: NewJob): object {
    return {
      id: job.id,
      command: job.command,
      queue: job.queue,
      priority: job.priority,
      max_retries: job.maxRetries,
      backoff_base: job.backoffBase,
      backoff_strategy: job.backoffStrategy,
      timeout_seconds: job.timeoutSeconds,
      run_at: job.runAt === null ? null : new Date(job.runAt).toISOString(),
      cwd: job.cwd,
      env: job.env,
    };
  }

  function aJobLikeThing(): fc.Arbitrary<unknown> {
    const names = fc.constantFrom(...INPUT_FIELDS, 'exit_code', 'maxRetries', '__proto__', 'toString');
    const values = fc.oneof(fc.jsonValue(), fc.anything(), fc.constantFrom('true', 'now', '+5m', 5, 0, 'pending'));
    return fc
      .array(fc.tuple(names, values), { maxLength: 4 })
      .map((entries) => Object.fromEntries([['command', 'true'], ...entries]));
  }

  function parsesOrExplains(raw: unknown): void {
    try {
      const job = read(raw);
      assert.deepEqual(Object.keys(job).sort(), Object.keys(read({ command: 'true' })).sort());
    } catch (error) {
      assert.ok(error instanceof QueueError, String(error));
      assert.match(error.message, /\S/);
      assert.equal(error.exitCode, 2);
    }
  }
});
