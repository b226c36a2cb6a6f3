// queuectl config: settings are stored in the queue, checked, and say where they come from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const bare = async (queue: TestQueue, key: string): Promise<string> =>
  (await queue.text('config', 'get', key)).trimEnd();

test('a setting can be set, read and reset', async (t) => {
  const queue = newQueue(t);
  await queue.text('init');
  assert.equal(await bare(queue, 'max_retries'), '3');
  assert.equal(await queue.text('config', 'set', 'max_retries', '5'), 'max_retries = 5\n');
  assert.equal(await bare(queue, 'max_retries'), '5');
  assert.match(await queue.text('config', 'unset', 'max_retries'), /^max_retries = 3 \(default\)/);
  assert.equal(await bare(queue, 'max_retries'), '3');
});

test('the defaults match the contract', async (t) => {
  const queue = newQueue(t);
  await queue.text('init');
  assert.deepEqual(await queue.json('config', 'get'), {
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
    sandbox_directories: null,
    sandbox_profiles: null,
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
  });
});

test('dashes, underscores and synonyms name the same setting', async (t) => {
  const queue = newQueue(t);
  const said: [string, string, string, string][] = [
    ['max-retries', '4', 'max_retries', '4'],
    ['MAX_RETRIES', '6', 'max_retries', '6'],
    ['default_max_retries', '7', 'max_retries', '7'],
    ['default-max-tries', '3', 'max_retries', '2'],
    ['job_retry_delay', '1.5', 'backoff_base', '1.5'],
    ['worker_heartbeat_interval', '2s', 'heartbeat_interval', '2'],
    ['kill_grace', '1m30s', 'kill_grace', '90'],
    ['backoff-strategy', 'Linear', 'backoff_strategy', 'linear'],
    ['job_timeout', 'none', 'job_timeout', 'none'],
  ];
  for (const [given, value, key, expected] of said) {
    await queue.text('config', 'set', given, value);
    assert.equal(await bare(queue, key), expected, given);
  }
});

test('the environment overrides stored values, and the list shows the source', async (t) => {
  const queue = newQueue(t);
  await queue.text('config', 'set', 'max_retries', '5');
  const env = { QUEUECTL_MAX_RETRIES: '9', QUEUECTL_SHELL: '' };
  const got = await queue.run(['config', 'get', 'max_retries', '--json'], { env });
  assert.deepEqual(JSON.parse(got.stdout), { key: 'max_retries', value: 9, source: 'environment' });

  const listed = await queue.run(['config', 'list', '--json'], { env });
  const sources = Object.fromEntries(JSON.parse(listed.stdout).map((row: Document) => [row.key, row.source]));
  assert.equal(sources.max_retries, 'environment');
  assert.equal(sources.shell, 'default', 'an empty variable says nothing');
  assert.equal((await queue.json('config', 'get', 'max_retries')).source, 'stored');

  const job = await queue.run(['enqueue', '--json', 'true'], { env });
  assert.equal(JSON.parse(job.stdout)[0].max_retries, 9);
  const flagged = await queue.run(['enqueue', '--json', '--max-retries', '1', 'true'], { env });
  assert.equal(JSON.parse(flagged.stdout)[0].max_retries, 1);
});

test('setting a value that the environment overrides stores it with a warning', async (t) => {
  const queue = newQueue(t);
  const env = { QUEUECTL_MAX_RETRIES: '9' };
  const { code, stderr } = await queue.run(['config', 'set', 'max_retries', '5'], { env });
  assert.equal(code, 0);
  assert.match(stderr, /QUEUECTL_MAX_RETRIES in the environment overrides/);
  assert.equal(await bare(queue, 'max_retries'), '5');
});

test('an invalid value in the environment is named', async (t) => {
  const queue = newQueue(t);
  const env = { QUEUECTL_MAX_RETRIES: 'many' };
  assert.match(await queue.rejected(2, ['enqueue', 'true'], { env }), /'max_retries'.*'many'/);
  assert.equal(await queue.count(), 0);
});

test('the list shows every setting with its value, source and description', async (t) => {
  const queue = newQueue(t);
  await queue.text('config', 'set', 'kill_grace', '7');
  const text = await queue.text('config', 'list');
  assert.match(text, /^key +value +source +description\n/);
  assert.match(text, /\nkill_grace +7 +stored +seconds between/);
  assert.match(text, /\nmax_retries +3 +default +number of automatic retries/);
  for (const key of Object.keys(await queue.json('config', 'get'))) assert.ok(text.includes(`\n${key} `), key);
});

test('an unknown setting is rejected with the nearest valid name', async (t) => {
  const queue = newQueue(t);
  for (const line of [
    ['config', 'get', 'max_retriez'],
    ['config', 'set', 'max_retriez', '4'],
    ['config', 'unset', 'max_retriez'],
  ]) {
    assert.match(await queue.rejected(2, line), /unknown setting 'max_retriez'\n hint: did you mean 'max_retries'/);
  }
  assert.match(await queue.rejected(2, ['config', 'get', 'colour']), /unknown setting 'colour'\n.*config list/);
});

const wrong: [string, string][] = [
  ['max_retries', 'many'],
  ['max_retries', '1.5'],
  ['max_retries', 'NaN'],
  ['max_retries', '1e99'],
  ['max_retries', ''],
  ['max_retries', 'none'],
  ['backoff_base', 'Infinity'],
  ['backoff_jitter', '2'],
  ['backoff_strategy', 'random'],
  ['job_timeout', '0'],
  ['kill_grace', 'soon'],
  ['max_concurrent_jobs', '0'],
  ['log_max_bytes', '10'],
  ['shell', ''],
];

test('an invalid value is rejected, and nothing changes', async (t) => {
  const queue = newQueue(t);
  const before = await queue.text('config', 'list');
  for (const [key, value] of wrong) {
    const rejection = await queue.rejected(2, ['config', 'set', key, value]);
    assert.match(rejection, new RegExp(`'${key}' must be .*, not '${value}'`));
  }
  assert.match(
    await queue.rejected(2, ['config', 'set', 'max_retries', '--', '-1']),
    /'max_retries' must be .* not '-1'/,
  );
  assert.equal(await queue.text('config', 'list'), before);
});

test('a negative value is rejected by its meaning, not as an option', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['config', 'set', 'max_retries', '-1']), /'max_retries' must be .* not '-1'/);
});

test('a missing or extra argument is rejected', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['config', 'set', 'max_retries']), /missing VALUE/);
  assert.match(await queue.rejected(2, ['config', 'set']), /missing KEY/);
  assert.match(await queue.rejected(2, ['config', 'set', 'max_retries', '1', '2']), /unexpected argument '2'/);
  assert.match(await queue.rejected(2, ['config', 'get', 'shell', 'max_retries']), /unexpected argument/);
  assert.match(await queue.rejected(2, ['config', 'unset']), /missing KEY/);
});

test('a change takes effect in a running worker', async (t) => {
  const queue = newQueue(t);
  const worker = await queue.worker();
  await queue.text('config', 'set', 'shell', '/bin/sh -e -c');
  const id = await queue.enqueue('--max-retries', '0', 'false; true');
  await queue.untilState(id, 'dead');
  await worker.leave();
});
