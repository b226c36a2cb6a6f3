// queuectl wait: until jobs are final, with the exit code of the job.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, processesWith } from './support.ts';

suite('wait', { concurrency: 2 }, () => {
  test('it exits as the job did', async (t) => {
    const queue = newQueue(t);
    const jobs = { good: 'true', three: 'exit 3', shot: 'kill -9 $$', missing: 'no-such-command' };
    const input = Object.entries(jobs).map(([id, command]) =>
      JSON.stringify({ id, command, max_retries: 0 }),
    );
    await queue.run(['enqueue', '-'], { input: input.join('\n') });
    await queue.drain();
    for (const [id, code] of Object.entries({ good: 0, three: 3, shot: 137, missing: 127 })) {
      assert.equal((await queue.run(['wait', id])).code, code, id);
    }
    assert.equal((await queue.run(['wait', 'three'])).stdout, 'three  dead: exit code 3\n');
    assert.equal(
      (await queue.run(['wait', 'good', 'shot', 'three'])).code,
      137,
      'the first that did not complete',
    );
    assert.equal(JSON.parse((await queue.run(['wait', 'good', 'three', '--json'])).stdout).length, 2);
  });

  test('it waits until the job has ended, over retries', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const command =
      'touch try$QUEUECTL_ATTEMPT; until [ -e go ]; do sleep 0.02; done; exit $QUEUECTL_ATTEMPT';
    const flags = ['--max-retries', '1', '--backoff-base', '0', '--backoff-strategy', 'fixed'];
    await queue.enqueue('--id', 'a', ...flags, command);
    const waiting = queue.start(['wait', 'a']);
    await until('the job runs', () => queue.files().includes('try1'));
    queue.write('go', '');
    assert.equal((await waiting.ended).code, 2, 'the code of the last attempt');
    await worker.leave();
  });

  test('a timeout gives up with 124 and names what is not final', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'done', 'true');
    await queue.enqueue('--id', 'waits', 'true');
    const refusal = await queue.refused(124, ['wait', 'done', 'waits', '--timeout', '100ms']);
    assert.match(refusal, /not final after 0\.1 s: waits\n/);
    assert.equal((await queue.show('waits')).state, 'pending');
  });

  test('a job that is cancelled ends the wait', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const waiting = queue.start(['wait', 'a']);
    await queue.text('cancel', 'a');
    assert.notEqual((await waiting.ended).code, 0);
  });

  test('Ctrl-C ends the wait, not the job', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const waiting = queue.start(['wait', 'a']);
    await until('it waits', () =>
      processesWith(queue.folder).some(({ command }) => /\.cjs wait a$/.test(command)),
    );
    waiting.kill('SIGINT');
    const { code, signal } = await waiting.ended;
    assert.ok(signal === 'SIGINT' || code === 130);
    assert.equal((await queue.show('a')).state, 'pending');
  });
});
