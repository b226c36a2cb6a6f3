// Settings: every accepted spelling, range and source.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { QueueError } from '../../src/errors/errors.ts';
import {
  parseSetting,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  Settings,
  type SettingValue,
  settingKey,
  settingsFromEnvironment,
} from '../../src/settings/settings.ts';
import { rejected } from '../support/rejection.ts';

describe('the defaults', () => {
  const defaults: Record<SettingKey, SettingValue> = {
    max_retries: 3,
    backoff_base: 2,
    backoff_strategy: 'exponential',
    backoff_max: 3600,
    backoff_jitter: 0,
    job_timeout: null,
    kill_grace: 5,
    poll_interval: 1,
    heartbeat_interval: 5,
    lease_duration: 30,
    max_concurrent_jobs: null,
    shell: '/bin/sh -c',
    direct_start: 'on',
    inherit_environment: 'auto',
    log_max_bytes: 10 * 1024 * 1024,
    retention_completed: null,
    retention_dead: null,
    on_success: null,
    on_failure: null,
    on_dead: null,
    webhook_secret: null,
    webhook_allow_private: 'off',
    limit_memory: null,
    limit_cpu_time: null,
    limit_cpu: null,
    limit_processes: null,
    limit_open_files: null,
    limit_file_size: null,
    limit_nice: null,
    limit_io_class: null,
    limit_mode: 'strict',
    sandbox: null,
    sandbox_profiles: null,
    sandbox_directories: null,
    run_as: null,
    run_as_root: 'allowed',
    inherit_from_worker: null,
    max_load: null,
    min_free_memory: null,
    min_free_disk: null,
    hours: null,
    memory_budget: null,
    policy_shell: 'allow',
    policy_programs: null,
    policy_variables: null,
    policy_folders: null,
    policy_queues: null,
    policy_users: null,
    policy_recipes_only: 'nobody',
  };

  test('match the contract', () => {
    const settings = new Settings({});
    assert.deepEqual(Object.fromEntries(SETTING_KEYS.map((key) => [key, settings.value(key)])), defaults);
    for (const key of SETTING_KEYS) assert.equal(settings.source(key), 'default', key);
  });

  test('are valid values', () => {
    for (const key of SETTING_KEYS) {
      const value = SETTINGS[key].default;
      assert.equal(parseSetting(key, value === null ? 'none' : String(value)), value, key);
    }
  });

  test('each have a description', () => {
    for (const key of SETTING_KEYS) assert.match(SETTINGS[key].help, /\S+( \S+){3}/, key);
  });
});

describe('a key', () => {
  const spellings: [given: string, key: SettingKey][] = [
    ['max_retries', 'max_retries'],
    ['max-retries', 'max_retries'],
    ['MAX_RETRIES', 'max_retries'],
    ['default_max_retries', 'max_retries'],
    ['default-max-retries', 'max_retries'],
    ['default_max_tries', 'max_retries'],
    ['job_retry_delay', 'backoff_base'],
    ['worker_heartbeat_interval', 'heartbeat_interval'],
    ['worker-heartbeat-interval', 'heartbeat_interval'],
  ];
  for (const [given, key] of spellings) {
    test(`'${given}' is ${key}`, () => assert.equal(settingKey(given), key));
  }

  test('may be spelled with dashes', () => {
    for (const key of SETTING_KEYS) assert.equal(settingKey(key.replaceAll('_', '-')), key);
  });

  test('that is unknown is answered with the nearest one', () => {
    const error = rejected('unknown_setting', () => settingKey('max-retrys'));
    assert.match(error.message, /'max-retrys'/);
    assert.equal(error.hint, "did you mean 'max_retries'?");
    assert.equal(error.exitCode, 2);
  });

  test('that resembles no other points to the list', () => {
    assert.match(rejected('unknown_setting', () => settingKey('zebra')).hint ?? '', /config list/);
    rejected('unknown_setting', () => settingKey(''));
    rejected('unknown_setting', () => settingKey('constructor'));
  });
});

describe('a value', () => {
  const right: [key: string, text: string, value: SettingValue][] = [
    ['max_retries', '0', 0],
    ['max_retries', ' 5 ', 5],
    ['max_retries', '1000000', 1_000_000],
    ['default_max_tries', '4', 3],
    ['default-max-tries', '1', 0],
    ['DEFAULT_MAX_TRIES', '4', 3],
    ['backoff_base', '1.5', 1.5],
    ['backoff_base', '.5', 0.5],
    ['backoff_strategy', 'Linear', 'linear'],
    ['backoff_max', '1h', 3600],
    ['backoff_jitter', '1', 1],
    ['job_timeout', '5m', 300],
    ['job_timeout', 'none', null],
    ['job_timeout', 'OFF', null],
    ['kill_grace', '0', 0],
    ['poll_interval', '250ms', 0.25],
    ['max_concurrent_jobs', '1', 1],
    ['max_concurrent_jobs', 'null', null],
    ['retention_completed', '7d', 604_800],
    ['retention_dead', 'none', null],
    ['shell', '/bin/bash -euo pipefail -c', '/bin/bash -euo pipefail -c'],
    ['log_max_bytes', '1024', 1024],
  ];
  for (const [key, text, value] of right) {
    test(`'${text}' for ${key} is ${value}`, () => assert.equal(parseSetting(key, text), value));
  }

  const wrong: [key: SettingKey, text: string, expected: RegExp][] = [
    ['max_retries', '-1', /a whole number from 0 to 1000000, not '-1'/],
    ['max_retries', '1000001', /a whole number from 0 to 1000000/],
    ['max_retries', '1.5', /a whole number/],
    ['max_retries', '', /a whole number/],
    ['max_retries', 'none', /a whole number/],
    ['max_retries', '1e3', /a whole number/],
    ['max_retries', '9'.repeat(400), /a whole number/],
    ['backoff_base', 'two', /a number from 0/],
    ['backoff_base', '-2', /a number from 0/],
    ['backoff_base', 'NaN', /a number from 0/],
    ['backoff_base', 'Infinity', /a number from 0/],
    ['backoff_strategy', 'random', /one of exponential, linear, fixed, not 'random'/],
    ['backoff_max', '-5', /seconds from 0/],
    ['backoff_max', '11y', /such as 90s, 5m or 2d/],
    ['backoff_jitter', '1.01', /a number from 0 to 1/],
    ['job_timeout', '0', /from 0.001/],
    ['kill_grace', '2h', /from 0 to 3600/],
    ['poll_interval', '0', /from 0.01/],
    ['heartbeat_interval', '0', /from 0.1/],
    ['lease_duration', '0.5', /from 1 to 86400/],
    ['max_concurrent_jobs', '0', /from 1 to/],
    ['log_max_bytes', '10', /from 1024/],
    ['shell', '  ', /a program and its flags/],
    ['shell', 'a\0b', /a program and its flags/],
  ];
  for (const [key, text, expected] of wrong) {
    test(`${JSON.stringify(text.slice(0, 20))} for ${key} is rejected with its requirement`, () => {
      const error = rejected('invalid_setting', () => parseSetting(key, text));
      assert.match(error.message, new RegExp(`^'${key}' must be `));
      assert.match(error.message, expected);
      assert.equal(error.exitCode, 2);
    });
  }

  test('zero attempts are rejected', () => {
    rejected('invalid_setting', () => parseSetting('default_max_tries', '0'));
  });

  test('of any text is a value or a QueueError', () => {
    const aText = fc.oneof(fc.string(), fc.constantFrom('1', '0.5', '-1', '5m', 'none', 'linear', '1e400', '+7'));
    fc.assert(
      fc.property(fc.constantFrom(...SETTING_KEYS), aText, (key, text) => {
        try {
          const value = parseSetting(key, text);
          assert.ok(value === null || typeof value === 'string' || Number.isFinite(value));
          if (value !== null) assert.equal(parseSetting(key, String(value)), value, 'it can be said back');
        } catch (error) {
          assert.ok(error instanceof QueueError, String(error));
        }
      }),
    );
  });
});

describe('precedence', () => {
  test('the environment wins over stored values, and those over the default', () => {
    const settings = new Settings({ max_retries: 5, backoff_base: 7 }, { max_retries: 9 });
    assert.deepEqual(
      (['max_retries', 'backoff_base', 'kill_grace'] as const).map((key) => [settings.value(key), settings.source(key)]),
      [[9, 'environment'], [7, 'stored'], [5, 'default']],
    ); // biome-ignore format: a table
  });

  test('a stored null wins over a value below it', () => {
    const settings = new Settings({ job_timeout: 60 }, { job_timeout: null });
    assert.deepEqual([settings.limit('job_timeout'), settings.source('job_timeout')], [null, 'environment']);
  });

  test('stored keys of another version are ignored', () => {
    assert.equal(new Settings({ from_the_future: 1 }).value('max_retries'), 3);
  });
});

describe('the environment', () => {
  test('sets any setting by QUEUECTL_ and its name', () => {
    const found = settingsFromEnvironment({
      QUEUECTL_MAX_RETRIES: '7',
      QUEUECTL_JOB_TIMEOUT: 'none',
      PATH: '/bin',
    });
    assert.deepEqual(found, { max_retries: 7, job_timeout: null });
  });

  test('ignores empty values', () => {
    assert.deepEqual(settingsFromEnvironment({ QUEUECTL_MAX_RETRIES: '' }), {});
  });

  test('does not treat QUEUECTL_DB and QUEUECTL_HOME as settings', () => {
    assert.deepEqual(settingsFromEnvironment({ QUEUECTL_DB: 'x', QUEUECTL_HOME: 'y', QUEUECTL_OUTPUT: 'json' }), {});
  });

  test('is validated like any other source', () => {
    rejected('invalid_setting', () => settingsFromEnvironment({ QUEUECTL_MAX_RETRIES: 'many' }));
  });
});

describe('effective settings', () => {
  test('durations are in milliseconds', () => {
    assert.equal(new Settings({ poll_interval: 0.25 }).ms('poll_interval'), 250);
  });

  test('the backoff combines its four settings', () => {
    const stored = { backoff_strategy: 'fixed', backoff_base: 5, backoff_max: 60, backoff_jitter: 0.1 };
    assert.deepEqual(new Settings(stored).backoff, {
      strategy: 'fixed',
      base: 5,
      maxSeconds: 60,
      jitter: 0.1,
    });
  });
});
