// A job as JSON: the contract's names, times and secrets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptToJson, isoTime, jobToJson } from '../../src/job/wire.ts';
import { runningJob, T0 } from '../support/jobs.ts';

const FIELDS = [
  'id', 'name', 'command', 'queue', 'group', 'state', 'priority', 'attempts', 'interruptions', 'snoozes', 'max_retries',
  'backoff_base', 'backoff_strategy', 'timeout_seconds', 'run_at', 'next_run_at', 'key', 'key_concurrency', 'weight',
  'depends_on', 'on_dependency_failure', 'schedule', 'scheduled_at', 'hooks', 'hook_of', 'tags', 'unique_key',
  'held', 'held_reason', 'cwd', 'env', 'split_output', 'stdin_bytes', 'success_codes', 'no_retry_codes',
  'snooze_code', 'warn_signal', 'warn_seconds', 'limits', 'sandbox', 'user', 'recipe', 'params', 'secrets', 'created_at', 'updated_at',
  'started_at', 'finished_at', 'duration_ms', 'exit_code', 'signal', 'last_error', 'fingerprint', 'locked_by', 'locked_at',
  'log_path', 'peak_memory_bytes', 'cpu_user_ms', 'cpu_system_ms', 'progress', 'progress_note', 'result',
]; // biome-ignore format: a list of words

const attempt = {
  run: 3,
  number: 2,
  workerId: 'w1',
  host: 'here',
  pid: 4711,
  pidStartedAt: '12345',
  bootId: 'boot',
  startedAt: T0,
  endedAt: T0 + 1250,
  outcome: 'failed',
  exitCode: 7,
  signal: null,
  error: 'exit code 7',
  logPath: '/logs/a.2.log',
  output: null,
  usage: { peakMemoryBytes: 4096, cpuUserMs: 12, cpuSystemMs: 3 },
} as const;

test('a job has the fields of the contract in snake_case and no others', () => {
  assert.deepEqual(Object.keys(jobToJson(runningJob())), FIELDS);
});

test('unknown values are null, never missing', () => {
  const json = JSON.parse(JSON.stringify(jobToJson(runningJob({ cwd: null }))));
  assert.deepEqual(Object.keys(json), FIELDS);
  assert.equal(json.finished_at, null);
  assert.equal(json.cwd, null);
});

test('a result is the value itself', () => {
  assert.deepEqual(jobToJson(runningJob({ result: '{"rows":[1,2]}' })).result, { rows: [1, 2] });
  assert.equal(jobToJson(runningJob({ result: 'not JSON' })).result, 'not JSON');
});

test('times are ISO 8601 in UTC with milliseconds', () => {
  const times = {
    runAt: T0,
    nextRunAt: T0 + 1,
    createdAt: T0,
    updatedAt: T0,
    startedAt: T0,
    finishedAt: T0,
    lockedAt: T0,
    scheduledAt: T0,
  };
  const json = jobToJson(runningJob(times));
  for (const [field, value] of Object.entries(json).filter(([name]) => name.endsWith('_at'))) {
    assert.match(String(value), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, field);
  }
  assert.equal(json.next_run_at, '2026-03-02T10:00:00.001Z');
  assert.equal(isoTime(null), null);
});

test('environment values are hidden unless requested, and their names are shown', () => {
  const job = runningJob({ env: { TOKEN: 'hunter2', EMPTY: '' } });
  assert.deepEqual(jobToJson(job).env, { TOKEN: '***', EMPTY: '***' });
  assert.ok(!JSON.stringify(jobToJson(job)).includes('hunter2'));
  assert.deepEqual(jobToJson(job, { env: true }).env, { TOKEN: 'hunter2', EMPTY: '' });
  const env = { TOKEN: 'hunter2', QUEUECTL_ARRAY_INDEX: '7' };
  assert.deepEqual(jobToJson(runningJob({ env })).env, { TOKEN: '***', QUEUECTL_ARRAY_INDEX: '7' });
});

test('a command keeps its type: a string or a list', () => {
  assert.equal(jobToJson(runningJob({ command: 'echo "$HOME"\n' })).command, 'echo "$HOME"\n');
  assert.deepEqual(jobToJson(runningJob({ command: ['echo', 'a b'] })).command, ['echo', 'a b']);
});

test('an attempt has its worker, times and outcome', () => {
  assert.deepEqual(attemptToJson(attempt), {
    number: 2,
    run: 3,
    worker: 'w1',
    host: 'here',
    pid: 4711,
    started_at: '2026-03-02T10:00:00.000Z',
    ended_at: '2026-03-02T10:00:01.250Z',
    duration_ms: 1250,
    outcome: 'failed',
    exit_code: 7,
    signal: null,
    error: 'exit code 7',
    log_path: '/logs/a.2.log',
    peak_memory_bytes: 4096,
    cpu_user_ms: 12,
    cpu_system_ms: 3,
  });
});

test('a running attempt has no finish time', () => {
  const { ended_at, duration_ms, outcome } = attemptToJson({ ...attempt, endedAt: null, outcome: null });
  assert.deepEqual([ended_at, duration_ms, outcome], [null, null, null]);
});
