// A job and its own group: it adds jobs to it, and does not wait for it.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';

suite('a group used inside a job', { concurrency: 2 }, () => {
  test('a job adds jobs to its own group while it runs', async (t) => {
    const queue = newQueue(t);
    const adds = 'for i in 1 2 3; do queuectl enqueue --group "$QUEUECTL_GROUP" true; done';
    await queue.enqueue('--group', 'g', adds);
    await queue.drain();
    assert.equal((await queue.json('group', 'show', 'g')).completed, 4);
    assert.equal((await queue.run(['run', '--group', 'g', 'echo $QUEUECTL_GROUP'])).stdout, 'g\n');
    assert.equal((await queue.json('group', 'show', 'g')).completed, 5);
  });

  test('it waits for jobs that the group gets in the meantime', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const first = 'queuectl enqueue --group "$QUEUECTL_GROUP" "until [ -e go ]; do sleep 0.02; done"';
    await queue.enqueue('--group', 'g', first);
    const waiting = queue.start(['wait', '--group', 'g']);
    await until(
      'the second one runs',
      async () => (await queue.json('status')).processing === 1 && (await queue.count()) === 2,
    );
    assert.equal(waiting.stdout(), '');
    queue.write('go', '');
    const { code, stdout } = await waiting.ended;
    assert.deepEqual([code, stdout], [0, 'g  2 jobs: all completed\n']);
    await worker.leave();
  });

  test('a job does not wait for its own group, which would never finish', async (t) => {
    const queue = newQueue(t);
    const { code, stderr } = await queue.run(['run', '--id', 'a', '--group', 'g', 'queuectl wait --group g']);
    assert.equal(code, 2);
    assert.match(stderr, /^error: job a belongs to group g and cannot wait for its own group\n hint: /);
  });
});
