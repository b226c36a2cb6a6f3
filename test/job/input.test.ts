// What a user may say of a job: which names mean the same, what is filled in, what a flag changes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { QueueError } from '../../src/errors/errors.ts';
import { inputNames } from '../../src/job/fields/fields.ts';
import { parseJob } from '../../src/job/input/input.ts';
import type { NewJob } from '../../src/job/job.ts';
import { T0 } from '../support/jobs.ts';
import { aNewJob } from '../support/random-jobs.ts';
import { rejected } from '../support/rejection.ts';
import { context, read, withCommand } from './reading.ts';

describe('synonyms mean the same:', () => {
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

describe('a missing field', () => {
  test('gets its default', () => {
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
      splitOutput: false,
      name: null,
      group: null,
      groupConcurrency: null,
      key: null,
      keyConcurrency: null,
      weight: null,
      groupHooks: {},
      hooks: {},
      hookOf: null,
      dependsOn: [],
      onDependencyFailure: 'cancel',
      schedule: null,
      scheduledAt: null,
      outcomeRules: null,
      confinement: null,
      stdin: null,
      tags: [],
      uniqueKey: null,
      uniqueFor: null,
      ifExists: null,
    });
  });

  test('and null are equal', () => {
    const nulls = Object.fromEntries(inputNames().map((field) => [field, null]));
    assert.deepEqual(read({ ...nulls, command: 'true' }), read({ command: 'true' }));
  });

  test('one tag is a list of one, and a repeated tag counts once', () => {
    assert.deepEqual(read(withCommand({ tags: 'a' })).tags, ['a']);
    assert.deepEqual(read(withCommand({ tag: ['b', 'a', 'b'] })).tags, ['b', 'a']);
  });

  test('a new job may have the fields of a new record: pending, no attempts', () => {
    assert.deepEqual(read(withCommand({ state: 'pending', attempts: 0 })), read(withCommand({})));
  });

  test('a relative directory is resolved against the current one', () => {
    assert.equal(read(withCommand({ cwd: 'src/../bin' })).cwd, '/home/me/bin');
    assert.equal(read(withCommand({ cwd: '/srv' })).cwd, '/srv');
  });

  test('without a known directory there is none', () => {
    assert.equal(parseJob({ command: 'true' }, {}, { ...context, cwd: null }).cwd, null);
  });
});

describe('an option', () => {
  test('wins over the field under any synonym', () => {
    assert.equal(read(withCommand({ maxRetries: 1 }), { max_attempts: 10 }).maxRetries, 9);
    assert.equal(read(withCommand({ run_at: '2027-01-01' }), { delay: '5s' }).runAt, T0 + 5000);
    assert.equal(read(withCommand({ id: 'a' }), { id: 'b' }).id, 'b');
  });

  test('leaves the other fields unchanged', () => {
    const { queue, priority } = read(withCommand({ queue: 'mail', priority: 5 }), { priority: 9 });
    assert.deepEqual([queue, priority], ['mail', 9]);
  });

  test('that was not given changes nothing', () => {
    assert.equal(read(withCommand({ priority: 5 }), { priority: undefined }).priority, 5);
  });

  test('reads a time without a zone as local, while JSON reads it as UTC', () => {
    const local = new Date(2026, 11, 24, 18).getTime();
    assert.equal(read(withCommand({}), { run_at: '2026-12-24 18:00' }).runAt, local);
    assert.equal(read(withCommand({}), { run_at: 'tomorrow 9:00' }).runAt, new Date(2026, 2, 3, 9).getTime());
    assert.equal(read(withCommand({ run_at: '2026-12-24 18:00' })).runAt, Date.parse('2026-12-24T18:00:00Z'));
  });

  test('may name the group or key of a limit', () => {
    const limited = withCommand({ group_concurrency: 2, key_concurrency: 3 });
    const { groupConcurrency, keyConcurrency } = read(limited, { group: 'g', key: 'k' });
    assert.deepEqual([groupConcurrency, keyConcurrency], [2, 3]);
  });

  test('does not excuse an invalid field that it overrides', () => {
    rejected('invalid_job', () => read(withCommand({ priority: 'high' }), { priority: 1 }));
  });
});

describe('a property of a group or a key', () => {
  const cases: readonly [object, RegExp][] = [
    [{ group_concurrency: 2 }, /'group_concurrency' requires a group/],
    [{ group_on_dead: 'echo' }, /'group_on_dead' requires a group/],
    [{ group_hooks: { on_success: 'echo' } }, /'group_on_success' requires a group/],
    [{ key_concurrency: 2 }, /'key_concurrency' requires a key/],
  ];
  for (const [said, sentence] of cases)
    test(`is rejected without one: ${Object.keys(said)[0]}`, () => {
      assert.match(rejected('invalid_job', () => read(withCommand(said))).message, sentence);
    });
});

describe('any input', () => {
  test('that is valid is read exactly: quotes, newlines, emoji and dollars', () => {
    fc.assert(
      fc.property(aNewJob, (job) => {
        const said = JSON.parse(JSON.stringify(spell(job)));
        const expected = { ...job, cwd: job.cwd ?? context.cwd };
        assert.deepEqual(read(said), expected);
      }),
    );
  });

  test('is a job or a QueueError with a message', () => {
    fc.assert(fc.property(fc.jsonValue(), (raw) => parsesOrExplains(raw)));
    fc.assert(
      fc.property(aJobLikeThing(), (raw) => parsesOrExplains(raw)),
      { numRuns: 1000 },
    );
  });

  function spell(job: NewJob): object {
    return {
      stdin: job.stdin && Buffer.from(job.stdin).toString(),
      snooze_code: job.outcomeRules?.snoozeCode,
      sandbox: job.confinement?.sandbox,
      user: job.confinement?.user,
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
      split_output: job.splitOutput,
      name: job.name,
      group: job.group,
      group_concurrency: job.groupConcurrency,
      key: job.key,
      key_concurrency: job.keyConcurrency,
      weight: job.weight,
      group_hooks: job.groupHooks,
      hooks: job.hooks,
      on_dependency_failure: job.onDependencyFailure,
      tags: job.tags,
    };
  }

  function aJobLikeThing(): fc.Arbitrary<unknown> {
    const names = fc.constantFrom(...inputNames(), 'exit_code', 'maxRetries', '__proto__', 'toString');
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
