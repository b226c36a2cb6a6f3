// queuectl why: in every state, a sentence that says why, and what to do.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Document, newQueue } from './support.ts';

suite('why', { concurrency: 2 }, () => {
  test('prints for a waiting job its reasons and what to do', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    await queue.enqueue('--id', 'later', '--delay', '1h', 'true');
    await queue.enqueue('--id', 'child', '--after', 'later', 'true');
    assert.equal(await queue.text('why', 'a'), 'a  pending\n  no worker is running: queuectl worker start\n');
    assert.match(
      await queue.text('why', 'later'),
      /^later {2}pending\n {2}starts in \d+ (h|min) \(.*\)\n {2}no worker is running/,
    );
    assert.equal(
      await queue.text('why', 'child'),
      'child  blocked\n  depends on job later completing (pending): queuectl why later\n',
    );
    await queue.prepare('queue', 'pause', 'default');
    assert.match(
      await queue.text('why', 'a'),
      /\n {2}queue default is paused, for \d+ s: queuectl queue resume default\n/,
    );
    const { why, waiting_reasons, state } = await queue.json('why', 'a');
    const reasons = (waiting_reasons as Document[]).map(({ reason }) => reason);
    assert.deepEqual([state, reasons], ['pending', ['queue_paused', 'no_worker']]);
    assert.match(String(why), /^queue default is paused, for \d+ s: .*; no worker is running: queuectl worker start$/);
  });

  test('prints for a running or finished job since when and why', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'good', 'true');
    await queue.enqueue('--id', 'bad', '--max-retries', '0', 'echo no such file; exit 2');
    await queue.enqueue('--id', 'child', '--after', 'bad', 'true');
    await queue.drain();
    assert.match(await queue.text('why', 'good'), /^good {2}completed\n {2}completed .*, took .*\n$/);
    assert.match(
      await queue.text('why', 'bad'),
      /^bad {2}dead\n {2}became dead .* after 1 attempt\n {2}exit code 2: no such file: queuectl logs bad\n$/,
    );
    assert.match(
      await queue.text('why', 'child'),
      /^child {2}cancelled\n {2}cancelled .*\n {2}dependency failed: job bad is dead\n$/,
    );
    assert.match(await queue.text('show', 'child'), /\n {2}dependency failed: job bad is dead\n/);
    assert.equal(
      await queue.text('enqueue', '--id', 'late', '--after', 'bad', 'true'),
      'late  cancelled  dependency failed: job bad is dead\n',
    );
    assert.equal(
      await queue.text('enqueue', '--id', 'kept', '--after', 'bad', '--on-dependency-failure', 'hold', 'true'),
      'kept  held  dependency failed: job bad is dead\n',
    );
    const worker = await queue.worker();
    await queue.enqueue('--id', 'runs', 'sleep 60');
    await queue.untilState('runs', 'processing');
    assert.match(
      await queue.text('why', 'runs'),
      /^runs {2}processing\n {2}attempt 1 of 4 running for .* on worker w\w+\n$/,
    );
    await queue.prepare('cancel', 'runs');
    await worker.leave();
  });

  test('show prints the same reasons, with the job’s name, group and key', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--name', 'build', '--group', 'g', '--key', 'k', 'true');
    assert.match(await queue.text('show', 'a'), /\n {2}name build · queue default · group g · key k · /);
    assert.match(await queue.text('show', 'a'), /\n {2}no worker is running: queuectl worker start\n/);
    await queue.rejected(3, ['why', 'nobody']);
  });
});
