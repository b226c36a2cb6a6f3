// queuectl run: through the queue and watched, with the output and the exit code of the command itself.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';
import { processesWith } from '../support/processes.ts';

suite('run', { concurrency: 2 }, () => {
  const exits: [string[], number][] = [
    [['true'], 0],
    [['exit 3'], 3],
    [['exit 255'], 255],
    [['no-such-command-anywhere'], 127],
    [['--', './no-such-command'], 127],
    [['--', '/'], 126],
    [['kill -TERM $$'], 143],
    [['kill -KILL $$'], 137],
  ];

  test("exits with the command's exit code", async (t) => {
    const queue = newQueue(t);
    for (const [args, expected] of exits) {
      assert.equal((await queue.run(['run', ...args])).code, expected, args.join(' '));
    }
  });

  test("prints only the command's output", async (t) => {
    const queue = newQueue(t);
    const { stdout, stderr } = await queue.run(['run', 'echo out; echo err >&2; echo more']);
    assert.deepEqual({ stdout, stderr }, { stdout: 'out\nmore\n', stderr: 'err\n' });
  });

  test('output without a final newline gets none', async (t) => {
    const queue = newQueue(t);
    assert.equal((await queue.run(['run', 'printf x'])).stdout, 'x');
  });

  test('output beyond log_max_bytes is printed completely', async (t) => {
    const queue = newQueue(t);
    const env = { QUEUECTL_LOG_MAX_BYTES: '2000' };
    const { stdout } = await queue.run(['run', 'i=0; while [ $i -lt 999 ]; do i=$((i+1)); echo $i; done'], {
      env,
    });
    assert.equal(stdout.split('\n').length, 1000);
  });

  test('large output passes through without being held in memory', async (t) => {
    const queue = newQueue(t);
    const bytes = 600 * 1024 * 1024;
    const command = `head -c ${bytes} /dev/zero | tr '\\0' x; echo; echo last`;
    const line = `queuectl run --id a "${command}" | wc -c`;
    assert.equal((await queue.sh(line)).stdout.trim(), String(bytes + 6));
    assert.match(await queue.text('logs', 'a', '--tail', '2'), /^last\n--- END .* rc=0 ---\n$/);
  });

  test('--json includes as much of a large output as is kept', async (t) => {
    const queue = newQueue(t);
    const env = { QUEUECTL_LOG_MAX_BYTES: '2000' };
    const { stdout } = await queue.run(['run', '--json', 'seq 1 5000'], { env });
    const { output } = JSON.parse(stdout);
    assert.equal(output.length, 2000);
    assert.ok(output.startsWith('1\n2\n3\n') && output.endsWith('\n4999\n5000\n'));
  });

  test('prints output as it is written', async (t) => {
    const queue = newQueue(t);
    const running = queue.start(['run', 'echo first; until [ -e go ]; do sleep 0.02; done; echo second']);
    await until('the first line', () => running.stdout() === 'first\n');
    queue.write('go', '');
    assert.equal((await running.ended).stdout, 'first\nsecond\n');
  });

  test("two runs proceed side by side without waiting for each other's worker", async (t) => {
    const queue = newQueue(t);
    const first = queue.start(['run', 'echo first; until [ -e go ]; do sleep 0.02; done']);
    await until('the first one runs', () => first.stdout() === 'first\n');
    assert.equal((await queue.run(['run', 'echo second'])).stdout, 'second\n');
    queue.write('go', '');
    assert.equal((await first.ended).code, 0);
  });

  test('when its terminal closes, the command stops and does not run again', async (t) => {
    const queue = newQueue(t);
    const running = queue.start(['run', '--id', 'a', 'echo $$; exec sleep 60']);
    await until('it runs', () => running.stdout() !== '');
    running.kill('SIGHUP');
    await running.ended;
    assert.equal((await queue.show('a')).state, 'cancelled');
  });

  test('exact arguments stay exact', async (t) => {
    const queue = newQueue(t);
    const { stdout } = await queue.run(['run', '--', 'printf', '%s\\n', 'a b', '$HOME', '--', '--help']);
    assert.equal(stdout, 'a b\n$HOME\n--\n--help\n');
  });

  test('several plain words are rejected with both correct forms', async (t) => {
    const queue = newQueue(t);
    const rejection = await queue.rejected(2, ['run', 'echo', 'hi']);
    assert.match(rejection, /queuectl run 'echo hi'; .*queuectl run -- echo hi/);
    assert.match(await queue.rejected(2, ['run']), /command required/);
    assert.equal(await queue.count(), 0);
  });

  test('accepts a job in JSON', async (t) => {
    const queue = newQueue(t);
    const { code, stdout } = await queue.run(['run', '{"id":"a","command":["echo","x  y"],"priority":4}']);
    assert.deepEqual([code, stdout], [0, 'x  y\n']);
    assert.equal((await queue.show('a')).priority, 4);
  });

  test('--json prints the job with its output', async (t) => {
    const queue = newQueue(t);
    const { code, stdout, stderr } = await queue.run(['run', '--json', '--id', 'a', 'echo out; echo err >&2; exit 4']);
    assert.deepEqual([code, stderr], [4, '']);
    const { id, state, exit_code, output } = JSON.parse(stdout);
    assert.deepEqual({ id, state, exit_code, output }, { id: 'a', state: 'dead', exit_code: 4, output: 'out\nerr\n' });
  });

  test('keeps a job with its history', async (t) => {
    const queue = newQueue(t);
    await queue.run(['run', '--id', 'a', 'exit 3']);
    const job = await queue.show('a');
    assert.deepEqual([job.state, job.attempts, (job.history as []).length], ['dead', 1, 1]);
    assert.equal((await queue.json('status')).active_workers, 0);
  });

  test('retries only on request', async (t) => {
    const queue = newQueue(t);
    const flaky = 'echo try >> tries; [ $(wc -l < tries) -ge 3 ]';
    const args = [
      'run',
      '--id',
      'a',
      '--max-retries',
      '3',
      '--backoff-base',
      '0',
      '--backoff-strategy',
      'fixed',
      flaky,
    ];
    assert.equal((await queue.run(args)).code, 0);
    assert.equal((await queue.show('a')).attempts, 3);
  });

  test('a timeout terminates the command and is an error', async (t) => {
    const queue = newQueue(t);
    const { code } = await queue.run(['run', '--id', 'a', '--timeout', '200ms', 'sleep 60']);
    assert.notEqual(code, 0);
    const job = await queue.show('a');
    assert.deepEqual([job.state, job.last_error], ['dead', 'timeout after 0.2 s']);
  });

  test('a command that could not be started is explained', async (t) => {
    const queue = newQueue(t);
    const { stderr } = await queue.run(['run', '--', 'no-such-command-anywhere']);
    assert.match(stderr, /no-such-command-anywhere/);
  });

  test('when its reader closes the pipe, run stops the command and exits silently', async (t) => {
    const queue = newQueue(t);
    const { code, stdout, stderr } = await queue.sh('queuectl run --id a yes | head -1');
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: 'y\n', stderr: '' });
    assert.deepEqual(processesWith(queue.folder), []);
    assert.equal((await queue.show('a')).state, 'cancelled');
  });

  test('Ctrl-C stops the command, and the job is cancelled', async (t) => {
    const queue = newQueue(t);
    const running = queue.start(['run', '--id', 'a', 'echo here; exec sleep 60']);
    await until('the command runs', () => running.stdout() === 'here\n');
    running.kill('SIGINT');
    assert.equal((await running.ended).code, 130);
    assert.equal((await queue.show('a')).state, 'cancelled');
  });

  test('a worker that serves the queue runs the job, and Ctrl-C leaves it running', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const running = queue.start(['run', '--id', 'a', 'echo here; until [ -e go ]; do sleep 0.02; done; exit 5']);
    await until('the command runs', () => running.stdout() === 'here\n');
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 130);
    assert.match(stderr, /job a continues in the background; follow it with: queuectl logs -f a/);
    assert.equal((await queue.show('a')).state, 'processing');
    queue.write('go', '');
    await queue.run(['cancel', 'a']);
    await worker.leave();
  });

  test("a job of several slots runs in run's own worker", async (t) => {
    const queue = newQueue(t);
    const { code, stdout } = await queue.run(['run', '--weight', '3', 'echo ran']);
    assert.deepEqual([code, stdout], [0, 'ran\n']);
  });

  test('a job runs immediately before others of its key that wait for a worker', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('enqueue', '--key', 'k', 'true');
    const { code, stdout } = await queue.run(['run', '--key', 'k', 'echo ran']);
    assert.deepEqual([code, stdout], [0, 'ran\n']);
  });

  test('run explains why a job that cannot run here waits', async (t) => {
    const queue = newQueue(t);
    const started = queue.start(['run', '--memory', '900000G', 'true']);
    await until('it says so', () => started.stderr().includes('of memory, but no worker has a budget of more than'));
    started.kill('SIGINT');
    await started.ended;
  });

  test('a worker of another queue does not delay the job', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker('--queue', 'mail');
    assert.equal((await queue.run(['run', 'echo hi'])).stdout, 'hi\n');
    await worker.leave();
  });
});

test("the job's stderr goes to stderr if that is another file, and keeps its order if it is the same file", async (t) => {
  const queue = newQueue(t);
  const job = 'echo a; echo b >&2; echo c';
  const lines = { '2>/dev/null': 'a\nc\n', '2>&1 >/dev/null': 'b\n', '2>&1': 'a\nb\nc\n' };
  for (const [to, expected] of Object.entries(lines))
    assert.equal((await queue.sh(`queuectl run '${job}' ${to} | cat`)).stdout, expected, to);
  await queue.text('worker', 'start');
  for (const [to, expected] of Object.entries(lines))
    assert.equal((await queue.sh(`queuectl run '${job}' ${to} | cat`)).stdout, expected, `by a worker, ${to}`);
  await queue.text('worker', 'stop');
});
