// Exit codes with a meaning of their own, and a warning before the timeout.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';

type Attempts = { outcome: string; error: string | null; number: number }[];

suite('exit codes', { concurrency: 2 }, () => {
  test('that count as success complete the job', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished('--success-codes', '0,3', 'exit 3');
    const job = await queue.show(id);
    assert.deepEqual([job.state, job.exit_code, job.last_error], ['completed', 3, null]);
    assert.match(await queue.text('show', id), /^ +1 .* exit code 3$/m);
    assert.equal((await queue.run(['wait', id])).code, 0);
    assert.equal((await queue.run(['run', '--success-codes', '3', 'exit 3'])).code, 0);
    assert.equal((await queue.run(['run', '--success-codes', '3', 'exit 0'])).code, 1);
  });

  test('that are not retried make the job dead immediately', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueue('--max-retries', '5', '--no-retry-codes', '2,64', 'exit 64');
    await queue.drain();
    const job = await queue.show(id);
    assert.deepEqual([job.state, job.attempts, job.last_error], ['dead', 1, 'exit code 64']);
    assert.match(await queue.text('why', id), /became dead .* after 1 attempt; exit code 64 is not retried/);
  });

  test('by which a job asks to run again later requeue it without using an attempt', async (t) => {
    const queue = newQueue(t);
    const command = '[ -e go ] || { echo 3600 > "$QUEUECTL_RETRY_AFTER"; exit 75; }';
    const id = await queue.enqueue('--max-retries', '0', '--snooze-code', '75', command);
    const worker = await queue.worker();
    await until(
      'it waits',
      async () => (await queue.show(id)).next_run_at !== null && (await queue.show(id)).snoozes === 1,
    );
    await worker.leave();
    const job = await queue.show(id);
    const [attempt] = job.history as Attempts;
    assert.deepEqual([job.state, job.attempts, job.last_error], ['pending', 0, null]);
    assert.deepEqual([attempt?.outcome, attempt?.error], ['snoozed', 'snoozed for 3600 s']);
    const waitsMs = Date.parse(String(job.next_run_at)) - Date.parse(String(job.updated_at));
    assert.equal(waitsMs, 3_600_000);
    assert.match(await queue.text('show', id), /snoozed once/);
  });

  test('for running again without a time run the job again after a minute', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueue('{"command":"exit 75","snooze_code":75}');
    const worker = await queue.worker();
    await until('it waits', async () => (await queue.show(id)).snoozes === 1);
    await worker.leave();
    const job = await queue.show(id);
    assert.equal(Date.parse(String(job.next_run_at)) - Date.parse(String(job.updated_at)), 60_000);
  });

  test('for running again immediately run the job until it finishes', async (t) => {
    const queue = newQueue(t);
    const command = 'echo try >> tries; [ $(wc -l < tries) -ge 4 ] || { echo 0 > "$QUEUECTL_RETRY_AFTER"; exit 75; }';
    const id = await queue.finished('--snooze-code', '75', command);
    const job = await queue.show(id);
    assert.deepEqual([job.state, job.attempts, job.snoozes], ['completed', 1, 3]);
    assert.deepEqual(
      (job.history as Attempts).map(({ outcome }) => outcome),
      ['snoozed', 'snoozed', 'snoozed', 'completed'],
    );
  });

  test('are shown in a form that can be given again', async (t) => {
    const queue = newQueue(t);
    const said = {
      success_codes: [0, 3],
      no_retry_codes: [2],
      snooze_code: 75,
      warn_signal: 'USR1',
      warn_seconds: 60,
    };
    const [job] = await queue.json<Record<string, unknown>[]>(
      'enqueue',
      JSON.stringify({ command: 'true', timeout_seconds: 100, ...said }),
    );
    const shown = Object.fromEntries(Object.keys(said).map((key) => [key, job?.[key]]));
    assert.deepEqual(shown, said);
    const [plain] = await queue.json<Record<string, unknown>[]>('enqueue', 'true');
    assert.deepEqual([plain?.success_codes, plain?.no_retry_codes, plain?.snooze_code], [[0], [], null]);
    assert.match(
      await queue.text('show', String(job?.id)),
      /success codes 0, 3.*no retry for exit codes 2.*snooze code 75.*warn signal USR1 1 min before the timeout/s,
    );
  });

  const rejected: [string[], RegExp][] = [
    [['--success-codes', '256', 'true'], /'success_codes' .*0 to 255/],
    [['--success-codes', 'a', 'true'], /'success_codes' must be a list.*\n hint: .*0,3/],
    [['--success-codes', '', 'true'], /'success_codes'/],
    [['--no-retry-codes', '1.5', 'true'], /'no_retry_codes'/],
    [['--snooze-code', '300', 'true'], /'snooze_code' .*0 to 255/],
    [['--snooze-code', '0', 'true'], /exit code 0 .*success_codes.*snooze_code/],
    [['--success-codes', '0,3', '--no-retry-codes', '3', 'true'], /exit code 3 .*success_codes.*no_retry_codes/],
    [['--warn-signal', 'USR1@60s', 'true'], /warn_signal.*timeout/],
    [['--warn-signal', 'USR1@60s', '--timeout', '60s', 'true'], /warn_signal.*timeout/],
    [['--warn-signal', 'KILL@1s', '--timeout', '60s', 'true'], /KILL/],
    [['--warn-signal', 'USR1', '--timeout', '60s', 'true'], /USR1@60s/],
    [['--warn-signal', 'USR1@soon', '--timeout', '60s', 'true'], /soon/],
  ];

  test('that are invalid are rejected, and nothing is stored', async (t) => {
    const queue = newQueue(t);
    for (const [args, message] of rejected)
      assert.match(await queue.rejected(2, ['enqueue', ...args]), message, args.join(' '));
    assert.equal(await queue.count(), 0);
  });
});

test('apply to the jobs of a schedule, also after an edit, and its stdin is rejected', async (t) => {
  const queue = newQueue(t);
  const rules = ['--success-codes', '0,3', '--timeout', '100s', '--warn-signal', 'USR1@60s'];
  await queue.text('schedule', 'add', 's', '--every', '1h', ...rules, 'exit 3');
  await queue.text('schedule', 'edit', 's', '--priority', '4');
  await queue.text('schedule', 'run', 's');
  await queue.drain();
  const [job] = await queue.jobs();
  assert.deepEqual(
    [job?.state, job?.priority, job?.success_codes, job?.warn_signal, job?.warn_seconds],
    ['completed', 4, [0, 3], 'USR1', 60],
  );
  queue.write('input', 'x');
  const rejection = await queue.rejected(2, ['schedule', 'add', 't', '--every', '1h', '--stdin', 'input', 'cat']);
  assert.match(rejection, /cannot have a standard input/);
});

test('a job receives a warning signal before its timeout', async (t) => {
  const queue = newQueue(t);
  const command = 'trap "echo warned; exit 0" USR1; while :; do sleep 0.05; done';
  const id = await queue.finished('--timeout', '60s', '--warn-signal', 'USR1@59.5s', command);
  const job = await queue.show(id);
  assert.deepEqual([job.state, /^warned$/m.test(await queue.text('logs', '--raw', id))], ['completed', true]);
});
