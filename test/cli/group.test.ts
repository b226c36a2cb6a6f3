// queuectl group: jobs that belong together, looked at and changed as one.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { type Document, newQueue, type TestQueue } from './support.ts';

/** Of group photos: one completed, two dead; of group other: one that waits. */
async function livedIn(queue: TestQueue): Promise<void> {
  const flags = ['--group', 'photos', '--max-retries', '0'];
  await queue.enqueue('--id', 'good', ...flags, 'true');
  await queue.enqueue('--id', 'bad1', ...flags, 'echo no such file; exit 2');
  await queue.enqueue('--id', 'bad2', ...flags, '--group-concurrency', '4', 'exit 3');
  await queue.drain();
  await queue.enqueue('--id', 'other', '--group', 'other', 'true');
}

const ids = (documents: unknown): string[] => (documents as Document[]).map(({ id }) => String(id));

suite('group', { concurrency: 2 }, () => {
  test('list prints one row per group, newest first', async (t) => {
    const queue = newQueue(t);
    await livedIn(queue);
    const rows = (await queue.text('group', 'list')).trimEnd().split('\n');
    assert.match(rows[0] ?? '', /^group +jobs +pending +processing +completed +dead +at once +created$/);
    assert.match(rows[1] ?? '', /^other +1 +1 +0 +0 +0 +/);
    assert.match(rows[2] ?? '', /^photos +3 +0 +0 +1 +2 +4 +/);
    const [other, photos] = await queue.json<Document[]>('group', 'list');
    assert.deepEqual(
      [other?.name, other?.outcome, photos?.name, photos?.outcome, photos?.dead, photos?.concurrency],
      ['other', null, 'photos', 'dead', 2, 4],
    );
    assert.equal((await queue.json<Document[]>('group', 'list', '--limit', '0')).length, 2);
    const { stdout, stderr } = await queue.run(['group', 'list', '--limit', '1']);
    assert.equal(stdout.trimEnd().split('\n').length, 2);
    assert.equal(stderr, 'showing the first 1 groups; show all with --limit 0\n');
  });

  test('show prints progress, failed jobs and reasons', async (t) => {
    const queue = newQueue(t);
    await livedIn(queue);
    const text = await queue.text('group', 'show', 'photos');
    assert.match(text, /^photos {2}finished, with dead jobs\n/);
    assert.match(text, /3 of 3 done · 2 dead/);
    assert.match(text, /bad1 +dead +echo no such file; exit 2 +exit code 2: no such file\n/);
    assert.match(text, /queuectl group retry photos/);
    const shown = await queue.json('group', 'show', 'photos');
    assert.deepEqual(ids(shown.failed_jobs), ['bad1', 'bad2']);
    assert.deepEqual([shown.total, shown.ended, shown.completed], [3, 3, 1]);
  });

  test("list --group shows only the group's jobs", async (t) => {
    const queue = newQueue(t);
    await livedIn(queue);
    assert.deepEqual(ids(await queue.jobs('--group', 'photos', '--state', 'dead')), ['bad2', 'bad1']);
    assert.deepEqual(ids(await queue.jobs('--group', 'other')), ['other']);
    assert.deepEqual(await queue.jobs('--group', 'nobody'), []);
  });

  test('retry runs failed jobs again and no others', async (t) => {
    const queue = newQueue(t);
    await livedIn(queue);
    assert.equal(await queue.text('group', 'retry', 'photos'), '2 jobs requeued\n');
    assert.deepEqual(
      (await queue.jobs()).map(({ id, state, attempts }) => [id, state, attempts]),
      [
        ['other', 'pending', 0],
        ['bad2', 'pending', 0],
        ['bad1', 'pending', 0],
        ['good', 'completed', 1],
      ],
    );
    assert.deepEqual(await queue.json('group', 'retry', 'other'), { retried: 0 });
  });

  test('cancel stops running and waiting jobs over many batches', async (t) => {
    const queue = newQueue(t);
    const lines = Array.from({ length: 1200 }, () => 'true').join('\n');
    await queue.enqueue('--id', 'runs', '--group', 'g', 'touch begun; sleep 60');
    await queue.run(['enqueue', '-', '--lines', '--group', 'g'], { input: lines });
    const worker = await queue.worker('--queue', 'default');
    await until('it runs', () => queue.files().includes('begun'));
    await queue.enqueue('--id', 'child', '--after', 'group:g', 'true');
    await queue.rejected(2, ['group', 'cancel', 'g']);
    const answer = await queue.json('group', 'cancel', 'g', '--yes');
    assert.deepEqual(answer, { cancelled: 1201, ending: 0 });
    const { cancelled, outcome } = await queue.json('group', 'show', 'g');
    assert.deepEqual([cancelled, outcome], [1201, 'cancelled']);
    assert.equal(
      (await queue.untilState('child', 'cancelled')).last_error,
      'dependency failed: group g has cancelled jobs',
    );
    assert.equal(await queue.text('group', 'cancel', 'g', '--yes'), 'nothing to cancel: all jobs are finished\n');
    await worker.leave();
  });

  test('delete removes the group and its jobs, but unfinished jobs only on request', async (t) => {
    const queue = newQueue(t);
    await livedIn(queue);
    assert.match(
      await queue.rejected(4, ['group', 'delete', 'other', '--yes']),
      /^error: group 'other' has unfinished jobs: 1 of 1; nothing was deleted\n/,
    );
    assert.equal(await queue.count(), 4);
    await queue.rejected(2, ['group', 'delete', 'photos']);
    assert.equal(await queue.text('group', 'delete', 'photos', '--yes'), '3 jobs deleted\n');
    assert.deepEqual(ids(await queue.jobs()), ['other']);
    assert.equal(await queue.text('group', 'delete', 'other', '--cancel', '--yes'), '1 job deleted\n');
    assert.deepEqual(await queue.json('group', 'list'), []);
    assert.equal(await queue.count(), 0);
  });

  test('dependents of a deleted group learn that it did not complete', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--group', 'g', 'true');
    await queue.enqueue('--id', 'child', '--after', 'group:g', 'true');
    await queue.text('group', 'delete', 'g', '--cancel', '--yes');
    assert.equal((await queue.show('child')).state, 'cancelled');
  });

  test('an unknown group is rejected with a hint', async (t) => {
    const queue = newQueue(t);
    for (const verb of ['show', 'cancel', 'retry', 'delete'])
      assert.equal(
        await queue.rejected(3, ['group', verb, 'nobody']),
        "error: group 'nobody' not found\n hint: list the groups: queuectl group list\n",
      );
    await queue.rejected(2, ['group', 'show']);
    await queue.rejected(2, ['group', 'list', '--limit', '-1']);
  });
});
