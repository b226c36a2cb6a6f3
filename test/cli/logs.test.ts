// queuectl logs: what a job wrote, attempt by attempt, whole or in part, then or live.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';

const FAST_RETRIES = ['--backoff-base', '0', '--backoff-strategy', 'fixed'];
/** For the shell. */
const waitFor = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

/** A job that failed twice and then completed. */
async function thirdTimeLucky(queue: TestQueue): Promise<void> {
  const command = 'echo "attempt $QUEUECTL_ATTEMPT"; [ $QUEUECTL_ATTEMPT = 3 ]';
  await queue.enqueue('--id', 'a', '--max-retries', '5', ...FAST_RETRIES, command);
  await queue.drain();
}

const jobOf = (file: string): string => path.basename(file).split('.')[0] ?? '';
const logFiles = (queue: TestQueue): string[] =>
  queue.files().filter((file) => /\.log$/.test(file) && file.includes('logs'));

suite('logs', { concurrency: 2 }, () => {
  test('a job that has not started prints no output, and the reason on stderr', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const { code, stdout, stderr } = await queue.run(['logs', 'a']);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /^job a has not started yet: no worker is running; for details run: queuectl why a\n$/);
    await queue.prepare('hold', 'a');
    const following = queue.start(['logs', '-f', 'a']);
    await until('logs -f prints the reason', () => /job a has not started yet/.test(following.stderr()));
    await queue.look('cancel', 'a');
    assert.equal((await following.ended).code, 0);
    assert.match((await queue.run(['logs', 'a'])).stderr, /^job a never started: it was cancelled\n$/);
    assert.equal((await queue.run(['logs', 'a', '--json'])).stderr, '');
  });

  test('each attempt is printed between its START and END lines', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    const block = (number: number, code: number) =>
      `--- START ${TIME} attempt=${number} command=".*" ---\nattempt ${number}\n--- END ${TIME} rc=${code} ---\n`;
    assert.match(await queue.text('logs', 'a'), new RegExp(`^${block(1, 1)}${block(2, 1)}${block(3, 0)}$`));
  });

  test('the END line shows a timeout and a signal', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'slow', '--max-retries', '0', '--timeout', '100ms', 'exec sleep 60');
    await queue.enqueue('--id', 'shot', '--max-retries', '0', 'kill -9 $$');
    await queue.drain();
    assert.match(await queue.text('logs', 'slow'), /\n--- END \S+ timeout ---\n$/);
    assert.match(await queue.text('logs', 'shot'), /\n--- END \S+ signal=SIGKILL ---\n$/);
  });

  test('after a manual retry an attempt has one number in its environment, log and history', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    await queue.prepare('retry', 'a');
    await queue.drain();
    const history = (await queue.json('show', 'a')).history as { number: number }[];
    assert.deepEqual(
      history.map(({ number }) => number),
      [1, 2, 3, 1, 2, 3],
    );
    const log = await queue.text('logs', 'a', '--attempt', '5');
    assert.match(log, /^--- START \S+ attempt=2 run=5 .*\nattempt 2\n--- END \S+ rc=1 ---\n$/);
  });

  test('show numbers attempts consecutively over manual retries, and logs --attempt finds each of them', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'cat count; echo x >> count');
    for (let retries = 0; retries < 2; retries++) {
      await queue.prepare('retry', 'a');
      await queue.drain();
    }
    const shown = (await queue.text('show', 'a')).matchAll(/^ +(\d+) +\d\d:\d\d:\d\d /gm);
    assert.deepEqual(
      [...shown].map(([, number]) => number),
      ['1', '2', '3'],
    );
    assert.match(await queue.text('logs', 'a', '--attempt', '2'), /\nx\n--- END/);
    assert.match(await queue.text('logs', 'a', '--attempt', '3'), /\nx\nx\n--- END/);
  });

  test('--attempt shows one attempt, and an unknown attempt is not found', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    const second = await queue.text('logs', 'a', '--attempt', '2');
    assert.match(second, /\nattempt 2\n/);
    assert.doesNotMatch(second, /attempt [13]/);
    assert.match(await queue.rejected(3, ['logs', 'a', '--attempt', '9']), /job 'a' has no attempt 9/);
    assert.match(await queue.rejected(2, ['logs', 'a', '--attempt', 'last']), /--attempt must be a whole number/);
  });

  test('--tail shows the last lines, also across attempts', async (t) => {
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

  test('a negative --tail is rejected', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'echo hi');
    assert.match(await queue.rejected(2, ['logs', 'a', '--tail', '-1']), /--tail/);
  });

  test('-f prints output as it is written, over retries, and ends when the job is final', async (t) => {
    const queue = newQueue(t);
    const command = 'echo "before $QUEUECTL_ATTEMPT"; until [ -e go$QUEUECTL_ATTEMPT ]; do sleep 0.02; done; exit 1';
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

  test('-f of a finished job prints its output at once', async (t) => {
    const queue = newQueue(t);
    await thirdTimeLucky(queue);
    assert.equal(await queue.text('logs', '-f', 'a'), await queue.text('logs', 'a'));
  });

  test('a log beyond log_max_bytes keeps its head and its tail, with a marker between them', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('config', 'set', 'log_max_bytes', '2000');
    await queue.finished('--id', 'a', 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo "line $i"; done');
    const text = await queue.text('logs', 'a');
    assert.ok(text.length < 2300, `${text.length} bytes`);
    assert.match(text, /^--- START .*\nline 1\nline 2\n/);
    assert.match(text, /\n--- \d+ bytes left out \(log_max_bytes\) ---\n/);
    assert.match(text, /\nline 2000\n--- END \S+ rc=0 ---\n$/);
  });

  /** More than the store takes itself. */
  const MUCH = 'seq 1 2000';

  test('a small output needs no file, and a larger output is deleted with its job', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'small', 'echo hi');
    await queue.finished('--id', 'large', MUCH);
    assert.deepEqual(logFiles(queue).map(jobOf), ['large']);
    assert.equal((await queue.show('small')).log_path, null);
    assert.equal(String((await queue.show('large')).log_path), path.join(queue.folder, logFiles(queue)[0] ?? ''));
    await queue.text('delete', 'small', 'large');
    assert.deepEqual(logFiles(queue), []);
  });

  test('prune, dlq purge and reset delete the logs of the jobs that they delete', async (t) => {
    const queue = newQueue(t);
    const jobs = [
      { id: 'a', command: MUCH },
      { id: 'b', command: `${MUCH}; false`, max_retries: 0 },
      { id: 'c', command: MUCH },
    ];
    await queue.prepare('enqueue', JSON.stringify(jobs));
    await queue.drain();
    assert.equal(logFiles(queue).length, 3);
    await queue.text('prune', '--keep', '1', '--yes');
    assert.deepEqual(logFiles(queue).map(jobOf), ['b', 'c']);
    await queue.text('dlq', 'purge', '--yes');
    assert.deepEqual(logFiles(queue).map(jobOf), ['c']);
    await queue.text('reset', '--yes');
    assert.deepEqual(logFiles(queue), []);
  });

  test('a missing log file is not an error', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', MUCH);
    fs.rmSync(path.join(queue.home, 'logs'), { recursive: true });
    assert.match(await queue.text('logs', 'a'), /^--- START .*\n--- END .*\n$/);
    assert.equal((await queue.run(['delete', 'a'])).code, 0);
  });

  test('a job never shows the log of another job, such as one of an earlier queue or with an ID in other letter case', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', `echo old; ${MUCH}`);
    for (const file of fs.readdirSync(queue.home))
      if (file.startsWith('queue.db')) fs.rmSync(path.join(queue.home, file));
    await queue.finished('--id', 'a', `echo new; ${MUCH}`);
    await queue.finished('--id', 'A', `echo other; ${MUCH}`);
    assert.doesNotMatch(await queue.text('logs', 'a'), /old/);
    const names = logFiles(queue).map((file) => file.toLowerCase());
    assert.deepEqual([names.length, new Set(names).size], [3, 3]);
  });

  test('--raw prints exactly the bytes that the job wrote', async (t) => {
    const queue = newQueue(t);
    const bytes = 'printf "\\377\\000\\n--- END 2026-01-01T00:00:00.000Z rc=0 ---\\nno newline"';
    await queue.finished('--id', 'a', bytes);
    const expected = Buffer.concat([
      Buffer.from([255, 0]),
      Buffer.from('\n--- END 2026-01-01T00:00:00.000Z rc=0 ---\nno newline'),
    ]);
    assert.deepEqual((await queue.run(['logs', 'a', '--raw'])).bytes, expected);
    assert.deepEqual((await queue.run(['logs', 'a', '--raw', '-f'])).bytes, expected);
    assert.equal(await queue.text('logs', 'a', '--raw', '--tail', '1'), 'no newline');
    assert.match(await queue.rejected(2, ['logs', 'a', '--raw', '--timestamps']), /cannot be combined/);
  });

  test('--timestamps shows the time of each line, for running and finished jobs', async (t) => {
    const queue = newQueue(t);
    const command = `echo one; ${waitFor('more')}; echo two; ${waitFor('go')}; printf three`;
    await queue.enqueue('--id', 'a', command);
    const worker = await queue.worker();
    await queue.untilState('a', 'processing');
    const timesOf = (text: string) =>
      [...text.matchAll(/^(\S+) {2}(?:one|two)$/gm)].map(([, time = '']) => Date.parse(time));
    const shows = (lines: RegExp, since: number) =>
      until(`${lines} since ${since}`, async () => {
        const text = await queue.text('logs', 'a', '--timestamps');
        return lines.test(text) && (timesOf(text).at(-1) ?? 0) >= since ? text : null;
      });
    await shows(new RegExp(`^--- START .*\n${TIME}  one\n`), 0);
    const between = Date.now();
    queue.write('more', '');
    const lines = new RegExp(`^--- START .*\n${TIME}  one\n${TIME}  two\n`);
    const running = await shows(lines, between); // a running job shows a new time within 0.1 s
    queue.write('go', '');
    await queue.untilState('a', 'completed');
    const ended = await queue.text('logs', 'a', '--timestamps');
    assert.match(ended, new RegExp(`${lines.source}${TIME}  three\n--- END .*\n$`));
    for (const text of [running, ended]) {
      const [one = 0, two = 0] = timesOf(text);
      assert.ok(one <= between && between <= two, `${one}, ${between}, ${two}`);
    }
    await worker.leave();
  });

  test('--split-output stores the streams separately and prints both in their original order', async (t) => {
    const queue = newQueue(t);
    const command = `echo out; ${waitFor('one')}; echo err >&2; ${waitFor('two')}; echo more`;
    await queue.enqueue('--id', 'a', '--split-output', command);
    const worker = await queue.worker();
    await queue.untilState('a', 'processing');
    for (const [text, file] of [
      ['out\n', 'one'],
      ['out\nerr\n', 'two'],
    ] as const) {
      await until(text, async () => (await queue.text('logs', 'a', '--raw')) === text || null);
      queue.write(file, '');
    }
    await queue.untilState('a', 'completed');
    await worker.leave();
    assert.equal(await queue.text('logs', 'a', '--raw', '--stdout'), 'out\nmore\n');
    assert.equal(await queue.text('logs', 'a', '--raw', '--stderr'), 'err\n');
    assert.equal(await queue.text('logs', 'a', '--raw'), 'out\nerr\nmore\n');
    assert.match(await queue.text('logs', 'a', '--stdout', '--tail', '2'), /^more\n--- END/);
    assert.equal((await queue.show('a')).split_output, true);
    await queue.finished('--id', 'b', '{"command":"echo x","split_output":true}');
    assert.equal(await queue.text('logs', 'b', '--raw', '--stderr'), '');
  });

  test('streams of a job without --split-output cannot be told apart', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'echo hi');
    const rejection = await queue.rejected(2, ['logs', 'a', '--stderr']);
    assert.match(rejection, /stdout and stderr of job 'a' were not recorded separately/);
    assert.match(rejection, /--split-output/);
    assert.match(await queue.rejected(2, ['logs', 'a', '--stderr', '--stdout']), /cannot be combined/);
  });

  test('-f --json prints one document for each start, line and end', async (t) => {
    const queue = newQueue(t);
    const command = 'echo "before $QUEUECTL_ATTEMPT"; until [ -e go ]; do sleep 0.02; done; printf "é"; exit 3';
    await queue.enqueue('--id', 'a', '--max-retries', '1', ...FAST_RETRIES, command);
    const worker = await queue.worker();
    const follower = queue.start(['logs', '-f', 'a', '--json']);
    await until('the first line', () => follower.stdout().includes('"before 1"'));
    queue.write('go', '');
    const { code, stdout } = await follower.ended;
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(code, 0);
    const brief = events.map(({ event, attempt, text, exit_code }) => [event, attempt, text ?? exit_code]);
    const of = (n: number) => [
      ['start', n, undefined],
      ['line', n, `before ${n}`],
      ['line', n, 'é'],
      ['end', n, 3],
    ];
    assert.deepEqual(brief, [...of(1), ...of(2)]);
    assert.ok(events.every(({ at }) => new RegExp(`^${TIME}$`).test(at)));
    await worker.leave();
  });

  test('a very long line is printed, cut by --tail and encoded as JSON quickly', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('config', 'set', 'log_max_bytes', String(200 * 1024 * 1024));
    const length = 30_000_000;
    await queue.finished('--id', 'a', `head -c ${length} /dev/zero | tr '\\0' x; echo; echo last`);
    const startedAt = performance.now();
    assert.match(await queue.text('logs', 'a', '--tail', '2'), /^last\n--- END .*\n$/);
    assert.equal((await queue.run(['logs', 'a', '--raw', '--tail', '2'])).bytes.length, length + 6);
    const { attempts } = await queue.json<{ attempts: { output: string }[] }>('logs', 'a', '--raw');
    assert.equal(attempts[0]?.output.length, length + 6);
    assert.ok(performance.now() - startedAt < 20_000);
  });

  test('an attempt of an earlier version is shown from its log, and moves with its job', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'true');
    const text = '--- START then attempt=1 command="true" ---\none\ntwo\n--- END then rc=0 ---\n';
    const file = queue.write('old.log', text);
    const db = new DatabaseSync(queue.db);
    db.prepare('UPDATE attempts SET output = NULL, log_path = ?').run(file);
    db.close();
    assert.equal(await queue.text('logs', 'a'), text);
    assert.equal(await queue.text('logs', 'a', '-f'), text);
    assert.equal(await queue.text('logs', 'a', '--tail', '2'), 'two\n--- END then rc=0 ---\n');
    const moved = path.join(queue.folder, 'moved.db');
    await queue.text('migrate', '--to', moved);
    fs.rmSync(file);
    assert.equal(await queue.text('logs', 'a', '--db', moved), text);
  });
});
