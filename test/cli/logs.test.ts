// queuectl logs: what a job wrote, attempt by attempt, whole or in part, then or live.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';

const FAST_RETRIES = ['--backoff-base', '0', '--backoff-strategy', 'fixed'];
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

/** A job that failed twice and then completed. */
async function thirdTimeLucky(queue: TestQueue): Promise<void> {
  const command = 'echo "attempt $QUEUECTL_ATTEMPT"; [ $QUEUECTL_ATTEMPT = 3 ]';
  await queue.enqueue('--id', 'a', '--max-retries', '5', ...FAST_RETRIES, command);
  await queue.drain();
}

const logFiles = (queue: TestQueue): string[] =>
  queue.files().filter((file) => /\.log$/.test(file) && file.includes('logs'));

suite('logs', { concurrency: 2 }, () => {
  test('each attempt stands between its START and its END line', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    const block = (number: number, code: number) =>
      `--- START ${TIME} attempt=${number} command=".*" ---\nattempt ${number}\n--- END ${TIME} rc=${code} ---\n`;
    assert.match(await queue.text('logs', 'a'), new RegExp(`^${block(1, 1)}${block(2, 1)}${block(3, 0)}$`));
  });

  test('the END line tells a timeout and a signal', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'slow', '--max-retries', '0', '--timeout', '100ms', 'exec sleep 60');
    await queue.enqueue('--id', 'shot', '--max-retries', '0', 'kill -9 $$');
    await queue.drain();
    assert.match(await queue.text('logs', 'slow'), /\n--- END \S+ timeout ---\n$/);
    assert.match(await queue.text('logs', 'shot'), /\n--- END \S+ signal=SIGKILL ---\n$/);
  });

  test('after a retry by hand an attempt has the same number in its environment, its log and its history', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    await queue.text('retry', 'a');
    await queue.drain();
    const history = (await queue.json('show', 'a')).history as { number: number }[];
    assert.deepEqual(
      history.map(({ number }) => number),
      [1, 2, 3, 1, 2, 3],
    );
    const log = await queue.text('logs', 'a', '--attempt', '2');
    assert.match(log, /^--- START \S+ attempt=2 .*\nattempt 2\n--- END \S+ rc=1 ---\n$/);
  });

  test('--attempt shows one attempt, and one that is not there is not found', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    const second = await queue.text('logs', 'a', '--attempt', '2');
    assert.match(second, /\nattempt 2\n/);
    assert.doesNotMatch(second, /attempt [13]/);
    assert.match(await queue.refused(3, ['logs', 'a', '--attempt', '9']), /job 'a' has no attempt 9/);
    assert.match(
      await queue.refused(2, ['logs', 'a', '--attempt', 'last']),
      /--attempt needs a whole number/,
    );
  });

  test('--tail shows the last lines, over attempts too', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    assert.match(await queue.text('logs', 'a', '--tail', '2'), /^attempt 3\n--- END .*\n$/);
    assert.match(
      await queue.text('logs', 'a', '-n', '4'),
      /^--- END .* rc=1 ---\n--- START .*\nattempt 3\n--- END .*\n$/,
    );
    assert.equal(await queue.text('logs', 'a', '--tail', '0'), '');
    assert.equal(await queue.text('logs', 'a', '--tail', '1000'), await queue.text('logs', 'a'));
    assert.match(await queue.text('logs', 'a', '--attempt', '1', '--tail', '2'), /^attempt 1\n--- END .*\n$/);
  });

  test('a negative --tail is refused', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'echo hi');
    assert.match(await queue.refused(2, ['logs', 'a', '--tail', '-1']), /--tail/);
  });

  test('a job that has not started has no output yet', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueue('true');
    assert.equal(await queue.text('logs', id), '');
  });

  test('-f shows output as it comes, over retries, and ends when the job is final', async (t) => {
    const queue = newQueue(t);
    const command =
      'echo "before $QUEUECTL_ATTEMPT"; until [ -e go$QUEUECTL_ATTEMPT ]; do sleep 0.02; done; exit 1';
    await queue.enqueue('--id', 'a', '--max-retries', '1', ...FAST_RETRIES, command);
    const worker = await queue.worker();
    const follower = queue.start(['logs', '-f', 'a']);
    await until('the first attempt', () => follower.stdout().includes('before 1\n'));
    queue.write('go1', '');
    await until('the second attempt', () => follower.stdout().includes('before 2\n'));
    queue.write('go2', '');
    const { code, stdout } = await follower.ended;
    assert.equal(code, 0);
    assert.equal(stdout, await queue.text('logs', 'a'));
    assert.equal(stdout.match(/^--- END /gm)?.length, 2);
    await worker.leave();
  });

  test('-f of a job that has ended shows all of it at once', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    assert.equal(await queue.text('logs', '-f', 'a'), await queue.text('logs', 'a'));
  });

  test('a log beyond log_max_bytes keeps its head and its tail, with a mark between', async (t) => {
    const queue = newQueue(t);
    await queue.text('config', 'set', 'log_max_bytes', '2000');
    await queue.finished('--id', 'a', 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo "line $i"; done');
    const text = await queue.text('logs', 'a');
    assert.ok(text.length < 2300, `${text.length} bytes`);
    assert.match(text, /^--- START .*\nline 1\nline 2\n/);
    assert.match(text, /\n--- \d+ bytes left out \(log_max_bytes 2000\) ---\n/);
    assert.match(text, /\nline 2000\n--- END \S+ rc=0 ---\n$/);
  });

  test('delete removes the logs of a job', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    assert.equal(logFiles(queue).length, 3);
    await queue.text('delete', 'a');
    assert.deepEqual(logFiles(queue), []);
  });

  test('prune, dlq purge and reset remove the logs of what they remove', async (t) => {
    const queue = newQueue(t);
    const three =
      '[{"id":"a","command":"true"},{"id":"b","command":"false","max_retries":0},{"id":"c","command":"true"}]';
    await queue.text('enqueue', three);
    await queue.drain();
    assert.equal(logFiles(queue).length, 3);
    await queue.text('prune', '--keep', '1', '--yes');
    assert.deepEqual(
      logFiles(queue).map((file) => path.basename(file)),
      ['b.1.log', 'c.1.log'],
    );
    await queue.text('dlq', 'purge', '--yes');
    assert.deepEqual(
      logFiles(queue).map((file) => path.basename(file)),
      ['c.1.log'],
    );
    await queue.text('reset', '--yes');
    assert.deepEqual(logFiles(queue), []);
  });

  test('a log that somebody removed is no error', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'echo hi');
    fs.rmSync(path.join(queue.home, 'logs'), { recursive: true });
    assert.equal(await queue.text('logs', 'a'), '');
    assert.equal((await queue.run(['delete', 'a'])).code, 0);
  });
});
