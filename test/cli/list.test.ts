// queuectl list: many jobs written as they come, what a table pads to, and what an empty list points to.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type Document, hasTerminals, newQueue, type TestQueue } from './support.ts';

const MANY = 10_000;

/** Far less than all of them would take at once. */
const LITTLE_MEMORY = { NODE_OPTIONS: '--max-old-space-size=32' };

async function addManyJobs(queue: TestQueue): Promise<void> {
  const line = (i: number): string => JSON.stringify({ id: `job${i}`, command: `echo ${'x'.repeat(4000)} ${i}` });
  const input = Array.from({ length: MANY }, (_, i) => line(i)).join('\n');
  const { code, stderr } = await queue.run(['enqueue', '-'], { input });
  assert.equal(code, 0, stderr);
}

suite('a long list', () => {
  const queue = newQueue({ after });
  before(() => addManyJobs(queue));

  test('is one JSON array of any length in little memory', async () => {
    for (const order of [[], ['--sort', 'priority']]) {
      const { code, stdout, stderr } = await queue.run(['list', '--limit', '0', '--json', ...order], {
        env: LITTLE_MEMORY,
      });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      const jobs = JSON.parse(stdout) as Document[];
      assert.equal(new Set(jobs.map(({ id }) => id)).size, MANY);
      assert.equal(stdout, `${JSON.stringify(jobs, null, 2)}\n`, 'written as a single document would be');
      if (order.length === 0) assert.equal(jobs[0]?.id, `job${MANY - 1}`, 'the newest first');
    }
  });

  test('is one table in little memory and reports that it was cut off', async () => {
    const all = await queue.run(['list', '--limit', '0'], { env: LITTLE_MEMORY });
    const lines = all.stdout.trimEnd().split('\n');
    assert.deepEqual([all.code, lines.length], [0, MANY + 1]);
    assert.match(lines[0] ?? '', /^id +state +queue .* command /);
    for (const line of [lines[1], lines.at(-1)]) assert.match(line ?? '', /^job\d+ +pending +default .* echo x/);
    const some = await queue.run(['list', '--limit', '1500'], { env: LITTLE_MEMORY });
    assert.equal(some.stdout.trimEnd().split('\n').length, 1501);
    assert.match(some.stderr, /showing 1,500 of 10,000; show all with --limit 0/);
  });

  test('stops silently when its reader closes the pipe', async () => {
    const { code, stdout, stderr } = await queue.sh('queuectl list --limit 0 --json | head -n 1');
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '[\n', stderr: '' });
  });
});

suite('a list', { concurrency: 2 }, () => {
  test('prints long commands completely and pads no other line to them', async (t) => {
    const queue = newQueue(t);
    const long = `echo ${'y'.repeat(100_000)}`;
    const jobs = Array.from({ length: 200 }, (_, i) => ({
      id: `job${i}`,
      command: i === 7 ? long : `echo ${i}`,
    }));
    await queue.run(['enqueue', '-'], { input: JSON.stringify(jobs) });
    const text = await queue.text('list');
    assert.ok(text.includes(long));
    assert.ok(text.length < long.length + 200 * 200, `${text.length} characters`);
    assert.match(text, /^job8 +pending +echo 8 +0 of 4/m);
  });

  test('of one state shows that state in every row', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'exit 3');
    assert.match(await queue.text('list', '--state', 'dead'), /^id +state .*\na +dead /);
  });

  test('without failed jobs points to the dead jobs', async (t) => {
    const queue = newQueue(t);
    for (const id of ['a', 'b']) await queue.enqueue('--id', id, '--max-retries', '0', 'exit 3');
    await queue.enqueue('--id', 'c', '--queue', 'mail', '--max-retries', '0', 'exit 3');
    await queue.drain();
    const listed = await queue.run(['list', '--state', 'failed']);
    assert.deepEqual(
      [listed.code, listed.stdout, listed.stderr],
      [0, '', 'no failed jobs, but 3 dead; see queuectl list --state dead\n'],
    );
    const ofQueue = await queue.run(['list', '--state', 'failed', '--queue', 'mail']);
    assert.match(ofQueue.stderr, /1 dead; see queuectl list --state dead --queue mail\n/);
    const retried = await queue.run(['retry', '--failed']);
    assert.deepEqual(
      [retried.code, retried.stdout, retried.stderr],
      [0, '0 jobs requeued\n', '3 dead; see queuectl dlq retry --all\n'],
    );
    const mail = await queue.run(['retry', '--failed', '--queue', 'mail']);
    assert.equal(mail.stderr, '1 dead; see queuectl dlq retry --all --queue mail\n');
    assert.equal((await queue.run(['list', '--state', 'failed', '--json'])).stderr, '');
    assert.equal((await queue.run(['list', '--state', 'completed'])).stderr, '');
  });
});

suite('a list on a terminal', {
  skip: hasTerminals ? false : 'there is no `script` here',
  concurrency: 2,
}, () => {
  const rowsOf = (text: string): string[] => stripVTControlCharacters(text).trimEnd().split('\r\n');

  test('shows as many rows as fit and the total', async (t) => {
    const queue = newQueue(t);
    const jobs = Array.from({ length: 120 }, (_, i) => ({ id: `job${i}`, command: 'true' }));
    await queue.run(['enqueue', '-'], { input: JSON.stringify(jobs) });
    const small = rowsOf((await queue.onTerminal(80, 'stty rows 20; queuectl list')).stdout);
    assert.equal(small.length, 19, 'a line is left for the prompt');
    assert.match(small.at(-1) ?? '', /^showing 17 of 120; show all with --limit 0$/);
    assert.match(small[1] ?? '', /^job119 /);
    const all = rowsOf((await queue.onTerminal(80, 'stty rows 20; queuectl list --limit 0')).stdout);
    assert.equal(all.length, 121);
  });

  test('that fits has no extra line', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('true');
    assert.equal(rowsOf((await queue.onTerminal(80, 'stty rows 10; queuectl list')).stdout).length, 2);
  });
});

test('shows a group as one line unless every job is requested', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueue('first');
  await queue.prepare('enqueue', '--array', '0-99', '--group', 'fan', 'true');
  const last = await queue.enqueue('last');
  const lines = (await queue.text('list')).trimEnd().split('\n');
  assert.equal(lines.length, 4, lines.join('\n'));
  assert.match(lines[1] ?? '', new RegExp(`^${last} `));
  assert.equal(lines[2], 'group:fan  100 jobs: 100 pending');
  assert.match(lines[3] ?? '', new RegExp(`^${id} `));
  for (const args of [['--all'], ['--state', 'pending'], ['--search', 'true'], ['--limit', '0']])
    assert.ok((await queue.text('list', ...args)).split('\n').length > 100, args.join(' '));
  assert.equal((await queue.jobs()).length, 102);
});

test('without groups has no group lines', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('first');
  assert.equal(await queue.text('list'), await queue.text('list', '--all'));
});
