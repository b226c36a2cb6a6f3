// What a job says of itself while it runs: progress and a result, by commands, files and lines of output.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';

/** Goes on until the test lets it. */
const STAYS = 'until [ -e go ]; do sleep 0.02; done';

/** The files that jobs and workers wrote between them and did not remove. */
const leftFiles = (queue: TestQueue): string[] =>
  queue.files().filter((file) => /~(progress|result|retry|stdin)/.test(file));

suite('progress', { concurrency: 2 }, () => {
  test('of a running job is shown during and after the run', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    await queue.enqueue('--id', 'a', `queuectl progress 40 'resizing 3 of 7'; ${STAYS}; queuectl progress 80`);
    await until('it is stored', async () => (await queue.show('a')).progress === 40);
    const job = await queue.show('a');
    assert.deepEqual([job.state, job.progress_note], ['processing', 'resizing 3 of 7']);
    assert.match(await queue.text('show', 'a'), /40 %.*resizing 3 of 7/);
    assert.match(await queue.text('list'), /progress[^\n]*\n[^\n]*40 % resizing 3 of 7/);
    queue.write('go', '');
    await queue.run(['wait', 'a']);
    const ended = await queue.show('a');
    assert.deepEqual([ended.state, ended.progress, ended.progress_note], ['completed', 80, null]);
    assert.doesNotMatch(await queue.text('show', 'a'), /80 %/, 'it is done');
    await worker.leave();
    assert.deepEqual(leftFiles(queue), []);
  });

  test('can be a line of output, which stays in the log', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished("echo before; echo '::progress 55 half way'; echo after");
    const { progress, progress_note } = await queue.show(id);
    assert.deepEqual([progress, progress_note], [55, 'half way']);
    assert.equal(await queue.text('logs', '--raw', id), 'before\n::progress 55 half way\nafter\n');
  });

  test('of an earlier attempt does not carry over', async (t) => {
    const queue = newQueue(t);
    const command = "[ -e second ] || { touch second; echo '::progress 90 nearly'; exit 1; }";
    const id = await queue.enqueue('--backoff-base', '0', '--backoff-strategy', 'fixed', command);
    await queue.drain();
    const { state, progress, progress_note } = await queue.show(id);
    assert.deepEqual([state, progress, progress_note], ['completed', null, null]);
  });

  test('of an attempt whose worker was killed does not carry over and leaves no file', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const command = `[ -e go ] || { queuectl progress 30; echo 1 > "$QUEUECTL_RESULT"; ${STAYS}; sleep 60; }`;
    const id = await queue.enqueue(command);
    await until('it is stored', async () => (await queue.show(id)).progress === 30);
    worker.kill('SIGKILL');
    await worker.ended;
    queue.write('go', '');
    await queue.drain();
    const { state, progress, result, interruptions } = await queue.show(id);
    assert.deepEqual([state, progress, result, interruptions], ['completed', null, null, 1]);
    assert.deepEqual(leftFiles(queue), []);
  });

  test('outside 0 to 100 is rejected with the correct form', async (t) => {
    const queue = newQueue(t);
    const env = { QUEUECTL_JOB_ID: 'a', QUEUECTL_PROGRESS: `${queue.folder}/said` };
    for (const said of ['400', 'x', '-1', '100.5'])
      assert.match(
        await queue.rejected(2, ['progress', said], { env }),
        /progress must be a number from 0 to 100, not '.*'\n hint: queuectl progress 40/,
      );
    assert.match(await queue.rejected(2, ['progress'], { env }), /missing PERCENT/);
    assert.deepEqual(queue.files(), []);
  });

  test('and a result need a running job', async (t) => {
    const queue = newQueue(t);
    for (const args of [
      ['progress', '40'],
      ['result', 'set', '1'],
    ])
      assert.match(await queue.rejected(2, args), /works only inside a running job/);
  });

  test('is stored at most once a second, and the last line always', async (t) => {
    const queue = newQueue(t);
    const command = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo "::progress $((i / 200)) $i"; done';
    const id = await queue.finished(command);
    const { progress, progress_note } = await queue.show(id);
    assert.deepEqual([progress, progress_note], [100, '20000']);
  });

  test('is included in wait --json', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished("echo '::progress 100 done'");
    const [job] = await queue.json<{ progress: number; progress_note: string }[]>('wait', id);
    assert.deepEqual([job?.progress, job?.progress_note], [100, 'done']);
  });
});

suite('a result', { concurrency: 2 }, () => {
  test('is read by job ID exactly as written', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished(`queuectl result set '{"rows": 12345678901234567890}'`);
    assert.equal(await queue.text('result', 'get', id), '{"rows": 12345678901234567890}\n');
    assert.match(await queue.text('show', id), /result \{"rows": 12345678901234567890\}/);
    assert.deepEqual(leftFiles(queue), []);
  });

  test('is read by a dependent job by name', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--name', 'build', 'queuectl result set \'"of an earlier build"\'');
    const build = await queue.enqueue('--name', 'build', 'queuectl result set \'{"file":"a.tar"}\'');
    const child = await queue.enqueue('--after', build, 'queuectl result get build');
    await queue.enqueue('--name', 'build', 'queuectl result set \'"of a later build"\'');
    await queue.drain();
    assert.equal(await queue.text('logs', '--raw', child), '{"file":"a.tar"}\n');
    assert.equal(await queue.text('result', 'get', 'build'), '"of a later build"\n');
  });

  test('can be written to a file without queuectl', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished('echo \'["a",{"b":1}]\' > "$QUEUECTL_RESULT"');
    assert.deepEqual(await queue.json('result', 'get', id), ['a', { b: 1 }]);
  });

  test('can be set again, and the last value counts', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished('queuectl result set 1; echo 2 | queuectl result set -');
    assert.equal(await queue.text('result', 'get', id), '2\n');
  });

  test('of a failed attempt is kept, and the next attempt starts without one', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished(`echo '"why"' > "$QUEUECTL_RESULT"; [ -e well ]`);
    assert.equal(await queue.text('result', 'get', id), '"why"\n');
    await queue.run(['retry', id]);
    queue.write('well', '');
    await queue.drain();
    assert.equal((await queue.show(id)).state, 'completed');
  });

  test('that is not JSON or too large is rejected with one sentence', async (t) => {
    const queue = newQueue(t);
    const env = { QUEUECTL_JOB_ID: 'a', QUEUECTL_RESULT: `${queue.folder}/said` };
    assert.match(await queue.rejected(2, ['result', 'set', '{rows'], { env }), /invalid job result: invalid JSON/);
    const input = `"${'x'.repeat(10_000_000)}"`;
    assert.match(
      await queue.rejected(2, ['result', 'set', '-'], { env, input }),
      /invalid job result: larger than the limit of 65536 bytes/,
    );
    assert.equal(fs.existsSync(`${queue.folder}/said`), false);
  });

  test('in the file that is too large or not JSON is dropped with a notice on the attempt', async (t) => {
    const queue = newQueue(t);
    const large = await queue.finished('head -c 10000000 /dev/zero > "$QUEUECTL_RESULT"');
    const wrong = await queue.finished('echo oops > "$QUEUECTL_RESULT"');
    for (const [id, problem] of [
      [large, /exit code 0; result not stored: 10000000 bytes is more than the limit of 65536/],
      [wrong, /exit code 0; result not stored: invalid JSON/],
    ] as const) {
      assert.match(await queue.text('show', id), problem);
      assert.equal((await queue.show(id)).last_error, null);
      assert.match(await queue.rejected(3, ['result', 'get', id]), /has no result/);
    }
    assert.deepEqual(leftFiles(queue), []);
  });

  test('that is not a regular file does not block', async (t) => {
    const queue = newQueue(t);
    const pipe = await queue.finished('mkfifo "$QUEUECTL_RESULT"');
    const folder = await queue.finished('mkdir "$QUEUECTL_RESULT"');
    for (const id of [pipe, folder]) assert.equal((await queue.show(id)).state, 'completed');
    assert.deepEqual(leftFiles(queue), []);
  });

  test('of a job that sets none or does not exist is not found', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueue('true');
    assert.match(
      await queue.rejected(3, ['result', 'get', id]),
      /has no result: the job is pending\n hint: wait until the job finishes: queuectl wait/,
    );
    await queue.drain();
    assert.match(await queue.rejected(3, ['result', 'get', id]), /has no result\n hint: .*queuectl result set/);
    assert.match(await queue.rejected(3, ['result', 'get', 'nobody']), /job 'nobody' not found/);
  });
});
