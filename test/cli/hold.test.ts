// hold, release, run-now and move, as people type them.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { newQueue } from './support.ts';

suite('hold', { concurrency: 2 }, () => {
  test('keeps a job from running until it is released, with the reason', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    assert.equal(await queue.text('hold', 'a', '--reason', 'until Monday'), 'a  held\n');
    const held = await queue.show('a');
    assert.deepEqual([held.state, held.held, held.held_reason], ['pending', true, 'until Monday']);
    assert.match(await queue.text('show', 'a'), /held: until Monday: queuectl release a/);
    assert.match(
      await queue.text('list', 'held:yes'),
      /^id +state +command +attempts +next run\na +pending +true +0 of 4 +held\n$/,
    );
    await queue.drain();
    assert.equal((await queue.show('a')).state, 'pending', 'a worker that drains does not wait for it');
    assert.equal(await queue.text('release', 'a'), 'a  released, pending\n');
    await queue.drain();
    assert.equal((await queue.show('a')).state, 'completed');
  });

  test('rejects a job that is not waiting with exit code 4 and a hint', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'done', 'true');
    for (const verb of ['hold', 'release', 'run-now'])
      assert.match(await queue.rejected(4, [verb, 'done']), new RegExp(`'done' is completed; ${verb} requires a job`));
    await queue.enqueue('--id', 'a', 'true');
    assert.match(await queue.rejected(4, ['release', 'a']), /job 'a' is not held.*\n hint: .*queuectl why a/);
    assert.match(await queue.rejected(2, ['hold']), /missing job ID/);
    assert.match(await queue.rejected(3, ['hold', 'nowhere']), /'nowhere' not found/);
  });
});

test('run-now skips a delay and releases the job', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'later', '--delay', '1h', 'true');
  await queue.enqueue('--id', 'held', 'true');
  await queue.text('hold', 'held');
  assert.equal(await queue.text('run-now', 'later', 'held'), 'later  pending, runs now\nheld   pending, runs now\n');
  await queue.drain();
  for (const id of ['later', 'held']) assert.equal((await queue.show(id)).state, 'completed', id);
});

test('why names who held the job, and a group given as a job gets a hint', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', '--group', 'g', 'true');
  await queue.text('hold', 'a');
  assert.match(await queue.text('why', 'a'), /\n {2}held by hand: queuectl release a\n/);
  await queue.text('hold', 'a', '--reason', 'until Monday');
  assert.match(await queue.text('why', 'a'), /\n {2}held: until Monday: queuectl release a\n/);
  assert.match(
    await queue.rejected(3, ['release', 'group:g']),
    /job 'group:g' not found\n hint: to select the jobs of a group: queuectl release --filter group:g/,
  );
});

test('run-now rejects a job with unfinished dependencies', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', 'true');
  await queue.enqueue('--id', 'b', '--after', 'a', 'true');
  assert.match(
    await queue.rejected(4, ['run-now', 'b']),
    /'b' is blocked; run-now requires a job that is pending or failed/,
  );
});

test('move moves waiting jobs to another queue', async (t) => {
  const queue = newQueue(t);
  for (const id of ['a', 'b']) await queue.enqueue('--id', id, 'true');
  assert.equal(await queue.text('move', 'a', '--queue', 'slow'), 'a  moved to slow\n');
  assert.equal((await queue.show('a')).queue, 'slow');
  assert.match(await queue.text('move', '--filter', 'queue:default', '--queue', 'slow'), /^1 job moved\n$/);
  assert.match(await queue.text('status'), /\nslow +2 /);
  await queue.drain();
  assert.match(
    await queue.rejected(4, ['move', 'a', '--queue', 'fast']),
    /'a' is completed; move requires a job that is blocked, pending or failed/,
  );
  assert.match(await queue.rejected(2, ['move', 'a']), /missing --queue NAME/);
  assert.match(await queue.rejected(2, ['move', 'a', '--queue', 'a b']), /'queue' 'a b' has characters/);
});
