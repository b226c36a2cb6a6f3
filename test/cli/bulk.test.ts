// Commands that change jobs by a filter: what they say, ask and reject, and that they work through many jobs in batches.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { hasTerminals, newQueue, type TestQueue } from './support.ts';

async function withJobs(queue: TestQueue): Promise<void> {
  const dead = { command: 'echo disk full; exit 3', max_retries: 0 };
  const jobs = [
    { id: 'mail1', queue: 'mail', tags: ['news'], ...dead },
    { id: 'mail2', queue: 'mail', ...dead },
    { id: 'print1', queue: 'print', ...dead, command: 'echo no paper; exit 4' },
    { id: 'fine', command: 'true' },
  ];
  await queue.run(['enqueue', ...jobs.map((job) => JSON.stringify(job))]);
  await queue.drain();
  await queue.enqueue('--id', 'waits', '--delay', '1h', 'true');
}

async function states(queue: TestQueue): Promise<Record<string, unknown>> {
  return Object.fromEntries((await queue.jobs()).map(({ id, state }) => [id, state]));
}

const BEFORE = { mail1: 'dead', mail2: 'dead', print1: 'dead', fine: 'completed', waits: 'pending' };

suite('by a filter', { concurrency: 2 }, () => {
  test('retry selects failed jobs, and completed jobs only on request', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    assert.equal(await queue.text('retry', '--filter', 'queue:mail "disk full"', '--tag', 'news'), '1 job requeued\n');
    assert.deepEqual(await states(queue), { ...BEFORE, mail1: 'pending' });
    assert.deepEqual(await queue.json('retry', '--newer-than', '1h'), { retried: 2 });
    assert.deepEqual(await queue.json('retry', '--state', 'completed'), { retried: 1 });
  });

  test('dlq retry and dlq purge select only dead jobs', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    assert.equal(await queue.text('dlq', 'retry', '--error', 'no paper'), '1 job requeued\n');
    assert.equal(await queue.text('dlq', 'purge', '--filter', 'tag:news', '--yes'), '1 job deleted\n');
    assert.match(
      await queue.rejected(4, ['dlq', 'purge', 'fine']),
      /'fine' is completed; dlq purge requires a job that is dead/,
    );
    assert.equal(await queue.text('dlq', 'purge', 'mail2'), 'mail2  deleted\n');
    assert.deepEqual(await states(queue), { print1: 'pending', fine: 'completed', waits: 'pending' });
  });

  test('cancel, hold, release, run-now, move and edit change all matching jobs', async (t) => {
    const queue = newQueue(t);
    for (const id of ['a', 'b', 'c']) await queue.enqueue('--id', id, '--queue', id === 'c' ? 'other' : 'mine', 'true');
    assert.equal(await queue.text('hold', '--queue', 'mine', '--reason', 'x'), '2 jobs held\n');
    assert.equal(await queue.text('release', '--filter', 'id:a'), '1 job released\n');
    assert.equal(await queue.text('run-now', '--filter', 'held:yes'), '1 job due\n');
    assert.equal(await queue.text('edit', '--filter', 'queue:mine', '--priority', '4', '--yes'), '2 jobs edited\n');
    assert.equal(await queue.text('move', '--filter', 'queue:mine', '--queue', 'other'), '2 jobs moved\n');
    assert.deepEqual(
      (await queue.jobs()).map(({ queue: name, priority, held }) => [name, priority, held]),
      [
        ['other', 0, false],
        ['other', 4, false],
        ['other', 4, false],
      ],
    );
    assert.deepEqual(await queue.json('cancel', '--filter', 'queue:other id:a,b', '--yes'), { cancelled: 2 });
    assert.deepEqual(await queue.json('delete', '--state', 'cancelled', '--yes'), { deleted: 2 });
    assert.deepEqual(await states(queue), { c: 'pending' });
  });

  test('a running job is stopped before the command returns', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'runs', 'sleep 60');
    await queue.enqueue('--id', 'waits', 'true');
    const worker = await queue.worker();
    await queue.untilState('runs', 'processing');
    assert.equal(await queue.text('cancel', '--filter', 'newer:1d', '--yes'), '2 jobs cancelled\n');
    assert.deepEqual(await states(queue), { runs: 'cancelled', waits: 'cancelled' });
    await worker.leave();
  });

  test('destructive commands without a terminal and without --yes are rejected with the number of jobs', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    for (const [verb, sentence] of [
      ['cancel', /this command would cancel 1 job and/],
      ['delete', /this command would delete 5 jobs with history and logs and/],
      ['dlq purge', /this command would delete 3 jobs with their logs and/],
    ] as const)
      assert.match(await queue.rejected(2, [...verb.split(' '), '--filter', 'newer:1d']), sentence);
    assert.match(
      await queue.rejected(2, ['edit', '--filter', 'newer:1d', '-p', '1']),
      /would edit 1 job and.*add --yes/s,
    );
    assert.deepEqual(await states(queue), BEFORE);
  });

  test('--dry-run prints the number of jobs and changes nothing', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    assert.equal(
      await queue.text('delete', '--state', 'dead', '--dry-run'),
      'would delete 3 jobs with history and logs\n',
    );
    assert.deepEqual(await queue.json('retry', '--queue', 'mail', '--dry-run'), { would_change: 2 });
    assert.match(await queue.rejected(2, ['retry', 'mail1', '--dry-run']), /--dry-run requires a filter/);
    assert.deepEqual(await states(queue), BEFORE);
  });

  test('an empty filter, IDs next to a filter, and an invalid filter are rejected', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    for (const verb of ['cancel', 'delete', 'retry', 'hold', 'release', 'run-now']) {
      assert.match(await queue.rejected(2, [verb, '--filter', ' ']), /empty filter: it would select every job/);
      assert.match(
        await queue.rejected(2, [verb, 'waits', '--filter', 'queue:mail']),
        /job IDs and a filter cannot be combined/,
      );
      assert.match(await queue.rejected(2, [verb, '--filter', 'stat:dead']), /unknown field 'stat'/);
      assert.match(await queue.rejected(2, [verb, '--state', 'deed']), /unknown state 'deed'/);
    }
    assert.match(await queue.rejected(2, ['dlq', 'retry', 'mail1', '--all']), /job IDs and --all cannot be combined/);
    assert.deepEqual(await states(queue), BEFORE);
  });

  test('no matching job is not an error', async (t) => {
    const queue = newQueue(t);
    assert.equal(await queue.text('delete', '--state', 'dead'), '0 jobs deleted\n');
    assert.deepEqual(await queue.json('cancel', '--queue', 'nowhere'), { cancelled: 0 });
  });
});

suite('on a terminal', { concurrency: 2, skip: hasTerminals ? false : 'there is no `script` here' }, () => {
  test('destructive commands ask first and follow the answer', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    const no = await queue.onTerminal(100, 'queuectl delete --state dead', { input: 'n\n' });
    assert.match(no.stdout, /This will delete 3 jobs with history and logs\. Continue\? \[y\/N\]/);
    assert.match(no.stdout, /nothing was deleted/);
    assert.equal(no.code, 1);
    const yes = await queue.onTerminal(100, 'queuectl delete --state dead', { input: 'y\n' });
    assert.match(yes.stdout, /3 jobs deleted/);
  });

  test('reversible commands ask only above a hundred jobs and show their progress', async (t) => {
    const queue = newQueue(t);
    const lines = Array.from({ length: 1200 }, () => 'true').join('\n');
    await queue.run(['enqueue', '-', '--lines'], { input: lines });
    const all = await queue.onTerminal(100, 'queuectl hold --queue default', { input: 'y\n' });
    assert.match(all.stdout, /This will hold 1,200 jobs\. Continue\?/);
    assert.match(stripVTControlCharacters(all.stdout), /1,200 jobs held/);
    const few = await queue.onTerminal(100, 'queuectl release --filter held:yes --search nothing', {
      input: '',
    });
    assert.doesNotMatch(few.stdout, /Go on/);
  });
});

test('twenty thousand jobs are changed in batches while other clients take turns', async (t) => {
  const queue = newQueue(t);
  const lines = Array.from({ length: 20_000 }, () => 'true').join('\n');
  await queue.run(['enqueue', '-', '--lines', '--queue', 'many'], { input: lines });
  const cancelling = queue.run(['cancel', '--queue', 'many', '--yes']);
  const meanwhile = await Promise.all(['x', 'y', 'z'].map((id) => queue.run(['enqueue', '--id', id, 'true'])));
  assert.deepEqual(
    meanwhile.map(({ code }) => code),
    [0, 0, 0],
  );
  assert.equal((await cancelling).stdout, '20,000 jobs cancelled\n');
  const { cancelled, pending } = await queue.json('status');
  assert.deepEqual([cancelled, pending], [20_000, 3]);
});
