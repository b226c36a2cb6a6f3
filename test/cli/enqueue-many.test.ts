// queuectl enqueue --array and --each: one command, many jobs, in one group.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const jobsOf = (queue: TestQueue): Promise<Document[]> => queue.jobs('--reverse');
const commands = async (queue: TestQueue) => (await jobsOf(queue)).map(({ command }) => command);

test('--array runs a command once per index and sets the index in its environment', async (t) => {
  const queue = newQueue(t);
  const said = await queue.text('enqueue', '--array', '3,8-9', 'echo "index $QUEUECTL_ARRAY_INDEX"');
  assert.match(said, /^3 jobs enqueued in group g[0-9a-z]{7}\n$/);
  await queue.run(['worker', 'run', '--drain']);
  const outputs = await Promise.all((await jobsOf(queue)).map(({ id }) => queue.text('logs', '--raw', String(id))));
  assert.deepEqual(outputs, ['index 3\n', 'index 8\n', 'index 9\n']);
});

test('a failed array reports which of its jobs failed', async (t) => {
  const queue = newQueue(t);
  const command = 'test $QUEUECTL_ARRAY_INDEX -ne 8';
  const args = ['enqueue', '--array', '3,8-9', '--group', 'g', '--max-retries', '0', '--work', '2', command];
  const { code, stdout } = await queue.run(args);
  assert.equal(code, 1);
  assert.match(stdout, /\n +id +state +index +command +last error\n +\w+ +dead +8 +test /);
  const { failed_jobs: failed } = await queue.json<{ failed_jobs: Document[] }>('group', 'show', 'g');
  assert.deepEqual(
    failed.map(({ array_index: index }) => index),
    [8],
  );
  const id = String(failed[0]?.id);
  assert.match(await queue.text('show', id), / · group g · index 8 · /);
  assert.deepEqual((await queue.show(id)).env, { QUEUECTL_ARRAY_INDEX: '8' });
  assert.match(await queue.text('list', '--group', 'g'), /^id +state +index +command/);
});

test('all jobs of an array are in one generated or named group', async (t) => {
  const queue = newQueue(t);
  await queue.text('enqueue', '--array', '0-1', '--', 'true');
  await queue.text('enqueue', '--array', '0-1', '--group', 'mine', '--', 'true');
  const groups = (await jobsOf(queue)).map(({ group }) => group);
  assert.equal(groups[0], groups[1]);
  assert.match(String(groups[0]), /^g/);
  assert.deepEqual(groups.slice(2), ['mine', 'mine']);
});

test('-e next to --array adds to the environment', async (t) => {
  const queue = newQueue(t);
  await queue.text('enqueue', '--array', '5', '-e', 'A=1', 'true');
  const [job] = await jobsOf(queue);
  assert.deepEqual((await queue.json('show', String(job?.id), '--show-env')).env, {
    A: '1',
    QUEUECTL_ARRAY_INDEX: '5',
  });
});

test('--each inserts the quoted lines of a file into a shell command', async (t) => {
  const queue = newQueue(t);
  queue.write('files', "a.jpg\n\nmy photo.jpg\nit's.jpg\r\n");
  await queue.text('enqueue', '--each', 'files', 'convert {} {.}.png # {#}');
  assert.deepEqual(await commands(queue), [
    'convert a.jpg a.png # 1',
    "convert 'my photo.jpg' 'my photo'.png # 2",
    "convert 'it'\\''s.jpg' 'it'\\''s'.png # 3",
  ]);
});

test('--each inserts the lines of stdin unchanged into an argument list', async (t) => {
  const queue = newQueue(t);
  const args = ['enqueue', '--each', '-', '--', 'convert', '{}', 'out/{/.}.png'];
  const { stdout } = await queue.run(args, { input: 'dir/$HOME.jpg\n' });
  assert.match(stdout, /enqueued in group g/);
  assert.deepEqual(await commands(queue), [['convert', 'dir/$HOME.jpg', 'out/$HOME.png']]);
});

test('a JSON job can be the template', async (t) => {
  const queue = newQueue(t);
  await queue.run(['enqueue', '--each', '-', '{"command":"echo {}","priority":7}', '--queue', 'q'], {
    input: 'x\ny\n',
  });
  assert.deepEqual(
    (await jobsOf(queue)).map(({ command, priority, queue }) => [command, priority, queue]),
    [
      ['echo x', 7, 'q'],
      ['echo y', 7, 'q'],
    ],
  );
});

test('--print-id prints the IDs, --json the jobs', async (t) => {
  const queue = newQueue(t);
  const ids = (await queue.text('enqueue', '--array', '0-2', '--print-id', 'true')).trim().split('\n');
  assert.deepEqual(
    (await jobsOf(queue)).map(({ id }) => id),
    ids,
  );
  const jobs = await queue.json<Document[]>('enqueue', '--array', '0-2', 'true');
  assert.equal(new Set(jobs.map(({ group }) => group)).size, 1);
});

const wrong: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
  'a template without a blank': [['--each', '-', 'echo'], /contains no \{\}/],
  'quotes around a blank': [['--each', '-', "echo '{}'"], /inside quotes/],
  'an array of ten million': [['--array', '0-9999999', 'true'], /the maximum is 1000000/],
  'an empty range': [['--array', '5-1', 'true'], /the empty range 5-1/],
  'no job at a time': [['--array', '0-9%0', 'true'], /the limit must be 1 or more/],
  'an array and a list': [['--array', '0-9', '--each', '-', 'true'], /--array and --each cannot be combined/],
  'an array and a file': [['--array', '0-9', '--file', '-', 'true'], /--file and --array cannot be combined/],
  'one id for all': [['--array', '0-9', '--id', 'x', 'true'], /--id would give every job the same ID/],
  'no command': [['--array', '0-9'], /command required/],
  'no command for a list': [['--each', '-'], /command required/],
  'a file that is not there': [['--each', 'nowhere', 'echo {}'], /cannot read 'nowhere'/],
  'no lines': [['--each', '-', 'echo {}'], /no lines in '-'/],
  'a bad group': [['--array', '0-9', '--group', 'a b', 'true'], /job 1: 'group' 'a b' has characters/],
};

for (const [what, [args, says]] of Object.entries(wrong)) {
  test(`${what} is rejected, and nothing is enqueued`, async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['enqueue', ...args], { input: '\n' }), says);
    assert.deepEqual(await jobsOf(queue), []);
  });
}
