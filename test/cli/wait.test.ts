// queuectl wait: until jobs are final, with the exit code of the job.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';
import { processesWith } from '../support/processes.ts';

suite('wait', { concurrency: 2 }, () => {
  test("exits with the job's exit code", async (t) => {
    const queue = newQueue(t);
    const jobs = { good: 'true', three: 'exit 3', shot: 'kill -9 $$', missing: 'no-such-command' };
    const input = Object.entries(jobs).map(([id, command]) => JSON.stringify({ id, command, max_retries: 0 }));
    await queue.run(['enqueue', '-'], { input: input.join('\n') });
    await queue.drain();
    for (const [id, code] of Object.entries({ good: 0, three: 3, shot: 137, missing: 127 })) {
      assert.equal((await queue.run(['wait', id])).code, code, id);
    }
    assert.equal((await queue.run(['wait', 'three'])).stdout, 'three  dead: exit code 3\n');
    assert.equal((await queue.run(['wait', 'good', 'shot', 'three'])).code, 137, 'the first that did not complete');
    assert.equal(JSON.parse((await queue.run(['wait', 'good', 'three', '--json'])).stdout).length, 2);
  });

  test('waits until the job has finished, over retries', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const command = 'touch try$QUEUECTL_ATTEMPT; until [ -e go ]; do sleep 0.02; done; exit $QUEUECTL_ATTEMPT';
    const flags = ['--max-retries', '1', '--backoff-base', '0', '--backoff-strategy', 'fixed'];
    await queue.enqueue('--id', 'a', ...flags, command);
    const waiting = queue.start(['wait', 'a']);
    await until('the job runs', () => queue.files().includes('try1'));
    queue.write('go', '');
    assert.equal((await waiting.ended).code, 2, 'the code of the last attempt');
    await worker.leave();
  });

  test('a timeout exits with 124 and names unfinished jobs', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'done', 'true');
    await queue.enqueue('--id', 'waits', 'true');
    const { code, stdout, stderr } = await queue.run(['wait', 'done', 'waits', '--timeout', '100ms']);
    assert.deepEqual([code, stdout], [124, '']);
    assert.match(stderr, /\nerror: not finished after 0\.1 s: waits\n hint: /);
    assert.equal((await queue.show('waits')).state, 'pending');
  });

  test('reports immediately that no worker serves the queue, and when one starts', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--queue', 'mail', 'true');
    for (const line of [
      ['wait', 'a'],
      ['logs', '-f', 'a'],
    ]) {
      const waiting = queue.start(line);
      await until('it says so', () => waiting.stderr() !== '');
      assert.equal(waiting.stderr(), 'no worker serves queue mail; start one: queuectl worker start --queue mail\n');
      waiting.kill('SIGINT');
      await waiting.ended;
    }
    const { stderr } = await queue.run(['wait', 'a', '--json', '--timeout', '100ms']);
    const { code, hint } = JSON.parse(stderr);
    assert.deepEqual(
      [code, hint],
      ['wait_timeout', 'no worker serves queue mail; start one: queuectl worker start --queue mail'],
    );
  });

  test('reports it again when the last worker leaves', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--delay', '1h', 'true');
    const waiting = queue.start(['wait', 'a']);
    const none = 'no worker serves queue default; start one: queuectl worker start\n';
    await until('nobody serves it', () => waiting.stderr() === none);
    const worker = await queue.worker();
    const some = 'a worker now serves queue default\n';
    await until('somebody does', () => waiting.stderr() === none + some);
    await worker.leave();
    await until('nobody does any more', () => waiting.stderr() === none + some + none);
    await queue.text('cancel', 'a');
    await waiting.ended;
  });

  test('prints nothing with a running worker or final jobs', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'done', 'true');
    assert.equal((await queue.run(['wait', 'done'])).stderr, '');
    const worker = await queue.worker();
    await queue.enqueue('--id', 'a', 'true');
    assert.equal((await queue.run(['wait', 'a'])).stderr, '');
    await worker.leave();
  });

  test('a cancelled job ends the wait', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const waiting = queue.start(['wait', 'a']);
    await queue.text('cancel', 'a');
    assert.notEqual((await waiting.ended).code, 0);
  });

  test('Ctrl-C stops the wait, not the job', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const waiting = queue.start(['wait', 'a']);
    await until('it waits', () => processesWith(queue.folder).some(({ command }) => /\.cjs wait a$/.test(command)));
    waiting.kill('SIGINT');
    const { code, signal } = await waiting.ended;
    assert.ok(signal === 'SIGINT' || code === 130);
    assert.equal((await queue.show('a')).state, 'pending');
  });
});
