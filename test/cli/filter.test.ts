// The filter language on the command line: words and flags find the same jobs, and what is not understood is named.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { newQueue, type TestQueue } from './support.ts';

async function withJobs(queue: TestQueue): Promise<void> {
  const jobs = [
    { id: 'mail1', queue: 'mail', command: 'echo cannot open a.txt; exit 3', max_retries: 0 },
    { id: 'mail2', queue: 'mail', command: 'echo no space left; exit 4', max_retries: 0 },
    { id: 'print1', queue: 'print', command: 'echo cannot open b.txt; exit 3', max_retries: 0 },
  ];
  await queue.run(['enqueue', ...jobs.map((job) => JSON.stringify(job))]);
  await queue.drain();
  await queue.enqueue('--id', 'later', '--delay', '1h', 'true');
}

async function found(queue: TestQueue, ...args: string[]): Promise<string> {
  const jobs = await queue.json<{ id: string }[]>(...args, '--sort', 'created', '--reverse');
  return jobs.map(({ id }) => id).join(' ');
}

suite('list', { concurrency: 2 }, () => {
  test('accepts a filter as one argument, as several, and as options', async (t) => {
    const queue = newQueue(t);
    await withJobs(queue);
    const same: readonly (readonly [string, readonly string[][]])[] = [
      ['mail1 mail2 print1', [['state:dead'], ['--state', 'dead'], ['state:dead,failed']]],
      ['mail1', [['state:dead queue:mail error:open'], ['state:dead', 'queue:mail', 'open'], ['id:mail1']]],
      ['mail1 print1', [['error:"cannot open"'], ['--error', 'cannot open'], ['"cannot open"']]],
      ['mail1 mail2 print1 later', [[], ['newer:1h'], ['--newer-than', '1h']]],
      ['', [['older:1h'], ['--older-than', '1h'], ['state:dead state:pending'], ['nothing like it']]],
      ['mail2 print1', [['id:mail2,print']]],
    ];
    for (const [ids, ways] of same)
      for (const way of ways) assert.equal(await found(queue, 'list', ...way), ids, way.join(' '));
  });

  test('accepts a date instead of an age', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    for (const [line, found] of [
      ['--newer-than yesterday', 1],
      ['newer:yesterday', 1],
      ['--older-than yesterday', 0],
      ['older:2026-01-01', 0],
    ] as const)
      assert.equal((await queue.jobs(...line.split(' '))).length, found, line);
    assert.match(await queue.rejected(2, ['list', '--newer-than', '2199-01-01']), /must be a duration or a date/);
  });

  test('names an invalid term and prints no job', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['list', 'queu:mail']), /unknown field 'queu'.*did you mean 'queue:'/s);
    assert.match(await queue.rejected(2, ['list', 'state:deed']), /unknown state 'deed'.*did you mean 'dead'/s);
    assert.match(await queue.rejected(2, ['list', 'older:soon']), /'older' must be a duration or a date, not 'soon'/);
    assert.match(await queue.rejected(2, ['list', '--older-than', 'soon']), /--older-than must be a duration/);
    assert.match(await queue.rejected(2, ['list', 'error:"open']), /a quote is not closed/);
    const { stderr } = await queue.run(['list', 'queu:mail', '--json']);
    assert.equal(JSON.parse(stderr).code, 'invalid_filter');
  });

  test('lists the filter fields in its help', async (t) => {
    const help = await newQueue(t).text('list', '--help');
    for (const field of ['state:', 'queue:', 'error:', 'older:']) assert.ok(help.includes(field), field);
  });
});

test('dlq list accepts a filter and shows only dead jobs', async (t) => {
  const queue = newQueue(t);
  await withJobs(queue);
  const ids = async (...args: string[]): Promise<string[]> =>
    (await queue.json<{ id: string }[]>('dlq', 'list', ...args)).map(({ id }) => id).sort();
  assert.deepEqual(await ids('queue:mail'), ['mail1', 'mail2']);
  assert.deepEqual(await ids('--error', 'cannot open'), ['mail1', 'print1']);
  assert.deepEqual(await ids('state:pending'), []);
});

suite('tags', { concurrency: 2 }, () => {
  test('can be set by options and in JSON, shown, and filtered', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--tag', 'nightly', '--tag', 'db', 'true');
    await queue.run(['enqueue', '{"id":"b","command":"true","tags":["nightly"]}', '--tag', 'urgent']);
    assert.deepEqual((await queue.show('a')).tags, ['nightly', 'db']);
    assert.deepEqual((await queue.show('b')).tags, ['urgent'], 'a flag overrides the field');
    assert.match(await queue.text('show', 'a'), /tags nightly db/);
    assert.equal(await found(queue, 'list', 'tag:nightly,urgent'), 'a b');
    assert.equal(await found(queue, 'list', '--tag', 'nightly', '--tag', 'db'), 'a');
    assert.equal(await found(queue, 'list', 'tag:db', 'tag:urgent'), '');
  });

  test('that are invalid are rejected, and nothing is stored', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['enqueue', '--tag', 'a b', 'true']), /'tag' 'a b' has characters that a tag/);
    assert.match(await queue.rejected(2, ['enqueue', '{"command":"true","tags":[7]}']), /'tags' must be a string/);
    assert.deepEqual(await queue.jobs(), []);
  });
});
