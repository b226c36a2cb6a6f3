// --json: one JSON document on stdout, whatever the command; an error is one object on stderr.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const STATES = ['blocked', 'pending', 'processing', 'failed', 'completed', 'dead', 'cancelled'];

/** A queue with a job in most states, without a worker. */
async function livedInQueue(queue: TestQueue): Promise<void> {
  await queue.prepare(
    'enqueue',
    '{"id":"good","command":"echo fine"}',
    '{"id":"bad","command":"echo oh no; exit 3","max_retries":0}',
    '{"id":"worse","command":"exit 4","max_retries":0}',
  );
  await queue.drain();
  await queue.prepare(
    'enqueue',
    '{"id":"later","command":"true","delay_seconds":3600}',
    '{"id":"never","command":"true"}',
  );
  await queue.prepare('cancel', 'never');
}

test('every command prints one JSON document and nothing else', async (t) => {
  const queue = newQueue(t);
  await livedInQueue(queue);
  const file = queue.write('more.ndjson', '{"id":"f1","command":"true"}\n{"id":"f2","command":"true"}\n');
  const lines: string[][] = [
    ['enqueue', '--id', 'one', 'true'],
    ['enqueue', '--id', 'two', '--print-id', 'true'],
    ['enqueue', '[{"command":"true"},{"command":"true"}]'],
    ['enqueue', `@${file}`],
    ['list'],
    ['list', '--state', 'failed'],
    ['show', 'good'],
    ['logs', 'good'],
    ['logs', 'good', '--attempt', '1', '--tail', '1'],
    ['status'],
    ['metrics'],
    ['dlq', 'list'],
    ['dlq', 'show', 'bad'],
    ['dlq', 'retry', 'bad'],
    ['dlq', 'retry', '--all'],
    ['dlq', 'purge', '--yes'],
    ['retry', 'good'],
    ['retry', '--failed'],
    ['cancel', 'good'],
    ['wait', 'never', '--timeout', '5s'],
    ['delete', 'good'],
    ['prune', '--yes'],
    ['config', 'list'],
    ['config', 'get'],
    ['config', 'get', 'shell'],
    ['config', 'set', 'shell', '/bin/sh -c'],
    ['config', 'unset', 'shell'],
    ['init'],
    ['doctor'],
    ['worker', 'list'],
    ['worker', 'stop'],
    ['run', 'echo hi'],
    ['completions', 'bash'],
    ['--version'],
    ['reset', '--yes'],
  ];
  for (const line of lines) {
    const { code, stdout, stderr } = await queue.run([...line, '--json']);
    const expected = line[0] === 'wait' ? 130 : 0; // the job it waits for was cancelled
    assert.deepEqual({ code, stderr }, { code: expected, stderr: '' }, line.join(' '));
    assert.doesNotThrow(() => JSON.parse(stdout), `${line.join(' ')}: ${stdout.slice(0, 200)}`);
  }
});

test('worker start and worker stop print JSON', async (t) => {
  const queue = newQueue(t);
  const started = await queue.json<{ id: string; pid: number }[]>('worker', 'start', '--count', '2');
  assert.equal(started.length, 2);
  const listed = await queue.json<{ id: string; pid: number; state: string }[]>('worker', 'list');
  assert.deepEqual(
    listed.map(({ id, pid }) => `${id} ${pid}`).sort(),
    started.map(({ id, pid }) => `${id} ${pid}`).sort(),
  );
  assert.equal((await queue.json('status')).active_workers, 2);
  const stopped = await queue.json<{ id: string; state: string }[]>('worker', 'stop');
  assert.deepEqual(new Set(stopped.map(({ state }) => state)), new Set(['stopped']));
  assert.deepEqual(await queue.json('worker', 'list'), []);
});

test('an error is one JSON object on stderr, with code, message and hint', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'here', 'true');
  const errors: [number, string, string[]][] = [
    [2, 'invalid_json', ['enqueue', '{bad']],
    [2, 'command_required', ['enqueue', '{"id":"x"}']],
    [2, 'invalid_job', ['enqueue', '{"command":"x","prioritty":1}']],
    [2, 'invalid_filter', ['list', '--state', 'bogus']],
    [2, 'usage', ['lisst']],
    [2, 'usage', ['list', '--bogus']],
    [2, 'unknown_setting', ['config', 'get', 'bogus']],
    [2, 'invalid_setting', ['config', 'set', 'max_retries', 'many']],
    [2, 'confirmation_needed', ['reset']],
    [2, 'unreadable_input', ['enqueue', '@nowhere']],
    [3, 'job_not_found', ['show', 'nope']],
    [3, 'attempt_not_found', ['logs', 'here', '--attempt', '7']],
    [4, 'job_exists', ['enqueue', '--id', 'here', 'true']],
    [4, 'wrong_state', ['retry', 'here']],
    [3, 'queue_not_found', ['status', '--db', '/dev/null/x']],
    [5, 'store_unreachable', ['init', '--db', '/dev/null/x']],
    [124, 'wait_timeout', ['wait', 'here', '--timeout', '1ms']],
  ];
  for (const [code, name, line] of errors) {
    const result = await queue.run([...line, '--json']);
    assert.deepEqual({ code: result.code, stdout: result.stdout }, { code, stdout: '' }, line.join(' '));
    const error = JSON.parse(result.stderr);
    assert.deepEqual(Object.keys(error).sort(), ['code', 'hint', 'message'], line.join(' '));
    assert.equal(error.code, name, line.join(' '));
    assert.ok(error.message.length > 0);
    assert.ok(error.hint === null || error.hint.length > 0);
  }
});

test('QUEUECTL_OUTPUT=json is the same as --json', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', 'true');
  const env = { QUEUECTL_OUTPUT: 'json' };
  assert.equal(JSON.parse((await queue.run(['show', 'a'], { env })).stdout).id, 'a');
  assert.equal(JSON.parse((await queue.run(['show', 'b'], { env })).stderr).code, 'job_not_found');
});

test('a --json after -- belongs to the job', async (t) => {
  const queue = newQueue(t);
  const { stdout } = await queue.run(['run', '--', 'echo', '--json']);
  assert.equal(stdout, '--json\n');
});

test('list prints an array of jobs in snake_case with ISO times', async (t) => {
  const queue = newQueue(t);
  assert.deepEqual(await queue.json<Document[]>('list'), []);
  await livedInQueue(queue);
  const jobs = await queue.json<Document[]>('list');
  assert.deepEqual(jobs.map(({ id }) => id).sort(), ['bad', 'good', 'later', 'never', 'worse']);
  const bad = jobs.find(({ id }) => id === 'bad') ?? {};
  const { state, attempts, max_retries, exit_code, last_error, command, queue: name } = bad;
  assert.deepEqual(
    { state, attempts, max_retries, exit_code, last_error, command, name },
    {
      state: 'dead',
      attempts: 1,
      max_retries: 0,
      exit_code: 3,
      last_error: 'exit code 3: oh no',
      command: 'echo oh no; exit 3',
      name: 'default',
    },
  );
  for (const field of ['created_at', 'updated_at', 'started_at', 'finished_at']) {
    assert.match(String(bad[field]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, field);
  }
});

test('status has every state and active_workers as numbers at the top level', async (t) => {
  const queue = newQueue(t);
  for (const expected of [{}, { completed: 1, dead: 2, pending: 1, cancelled: 1 }]) {
    const status = await queue.json('status');
    const numbers = Object.fromEntries([...STATES, 'active_workers'].map((name) => [name, status[name]]));
    const none = Object.fromEntries([...STATES, 'active_workers'].map((name) => [name, 0]));
    assert.deepEqual(numbers, { ...none, ...expected });
    if (Object.keys(expected).length === 0) await livedInQueue(queue);
  }
});

test('show has the fields of the job and its history', async (t) => {
  const queue = newQueue(t);
  await livedInQueue(queue);
  const bad = await queue.json('show', 'bad');
  const history = bad.history as Record<string, unknown>[];
  assert.equal(history.length, 1);
  const { number, outcome, exit_code, error } = history[0] ?? {};
  assert.deepEqual(
    { number, outcome, exit_code, error },
    { number: 1, outcome: 'failed', exit_code: 3, error: 'exit code 3: oh no' },
  );
  assert.deepEqual((await queue.json('show', 'later')).history, []);
  assert.deepEqual(await queue.json('dlq', 'show', 'bad'), bad);
});
