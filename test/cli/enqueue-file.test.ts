// queuectl enqueue with jobs from a file or stdin, in every shape that files come in; all of them or none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue, type TestQueue } from './support.ts';

/** The commands in the queue, in the order they came in. */
async function commands(queue: TestQueue): Promise<unknown[]> {
  return (await queue.jobs('--reverse')).map(({ command }) => command);
}

test('@FILE, --file FILE and - read the same format', async (t) => {
  const queue = newQueue(t);
  const text = '{"command":"one"}\n{"command":"two"}\n';
  queue.write('jobs', text);
  for (const args of [['@jobs'], ['--file', 'jobs'], ['-'], ['--file', '-']]) {
    const { code, stdout } = await queue.run(['enqueue', ...args], { input: text });
    assert.deepEqual([code, stdout], [0, '2 jobs enqueued\n'], args.join(' '));
  }
  assert.deepEqual(await commands(queue), Array(4).fill(['one', 'two']).flat());
});

const shapes: Record<string, string> = {
  'a JSON array on one line': '[{"command":"one"},{"command":"two"}]',
  'a JSON array over several lines': '[\n  {\n    "command": "one"\n  },\n  {"command": "two"}\n]\n',
  NDJSON: '{"command":"one"}\n{"command":"two"}\n',
  'NDJSON without a newline at the end': '{"command":"one"}\n{"command":"two"}',
  'NDJSON with CRLF': '{"command":"one"}\r\n{"command":"two"}\r\n',
  'NDJSON with blank lines': '\n\n{"command":"one"}\n   \n{"command":"two"}\n\n',
  'NDJSON with a byte order mark': '\ufeff{"command":"one"}\n{"command":"two"}\n',
  'a JSON array with a byte order mark and CRLF': '\ufeff[\r\n{"command":"one"},\r\n{"command":"two"}\r\n]\r\n',
};

for (const [shape, text] of Object.entries(shapes)) {
  test(`jobs can come as ${shape}`, async (t) => {
    const queue = newQueue(t);
    assert.equal((await queue.run(['enqueue', '-'], { input: text })).stdout, '2 jobs enqueued\n');
    assert.deepEqual(await commands(queue), ['one', 'two']);
  });
}

test('a single job can be a JSON object over several lines', async (t) => {
  const queue = newQueue(t);
  queue.write('job.json', '{\n  "id": "a",\n  "command": "one"\n}\n');
  assert.match(await queue.text('enqueue', '@job.json'), /^a {2}enqueued\n$/);
  assert.deepEqual(await commands(queue), ['one']);
});

test('--lines reads one command per line and skips blank lines', async (t) => {
  const queue = newQueue(t);
  const input = '\ufeffecho one\r\n\r\n  \r\n  echo \'two  spaces\' # {\n{"not":"json"}\n';
  assert.equal((await queue.run(['enqueue', '-', '--lines'], { input })).stdout, '3 jobs enqueued\n');
  assert.deepEqual(await commands(queue), ['echo one', "  echo 'two  spaces' # {", '{"not":"json"}']);
});

test('--print-id prints all IDs in order', async (t) => {
  const queue = newQueue(t);
  const input = 'one\ntwo\nthree\n';
  const { stdout } = await queue.run(['enqueue', '-', '--lines', '--print-id'], { input });
  const ids = stdout.trimEnd().split('\n');
  assert.deepEqual(
    (await queue.jobs('--reverse')).map(({ id }) => id),
    ids,
  );
});

test('options apply to every job of a file', async (t) => {
  const queue = newQueue(t);
  const input = '{"command":"one","priority":1}\n{"command":"two"}\n';
  await queue.run(['enqueue', '-', '--priority', '5', '--queue', 'mail'], { input });
  assert.deepEqual(
    (await queue.jobs()).map(({ priority, queue: name }) => [priority, name]),
    [
      [5, 'mail'],
      [5, 'mail'],
    ],
  );
});

test('a duplicate ID in a file is rejected with its line', async (t) => {
  const queue = newQueue(t);
  const line = (id: string) => `{"id":"${id}","command":"true"}`;
  queue.write('twins', [line('a'), '', line('b'), '', line('a'), line('c')].join('\n'));
  const rejection = await queue.rejected(4, ['enqueue', '@twins']);
  assert.match(rejection, /job 'a' already exists \(line 5\); nothing was enqueued/);
  assert.equal(await queue.count(), 0);
});

test('a taken ID in a file is rejected with its line', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'taken', 'true');
  const input = '{"id":"a","command":"true"}\n{"id":"taken","command":"false"}\n';
  assert.match(await queue.rejected(4, ['enqueue', '-'], { input }), /job 'taken' already exists \(line 2\)/);
  assert.deepEqual(
    (await queue.jobs()).map(({ id, command }) => [id, command]),
    [['taken', 'true']],
  );
});

test('a file that breaks off stores nothing, and the error names the line', async (t) => {
  const queue = newQueue(t);
  const input = `${'{"command":"true"}\n'.repeat(3)}{"command":"tr`;
  assert.match(await queue.rejected(2, ['enqueue', '-'], { input }), /line 4: .*invalid JSON/);
  assert.match(
    await queue.rejected(2, ['enqueue', '-'], { input: '{"comm\n{"command":"x"}\n' }),
    /line 1: .*invalid JSON/,
  );
  assert.match(await queue.rejected(2, ['enqueue', '-'], { input: '[{"command":"x"},' }), /invalid JSON/);
  assert.equal(await queue.count(), 0);
});

test('20,000 jobs are stored together in order', async (t) => {
  const queue = newQueue(t);
  const input = Array.from({ length: 20_000 }, (_, i) => `{"id":"job${i}","command":"true"}`).join('\n');
  const { code, stdout, stderr } = await queue.run(['enqueue', '-'], { input });
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '20,000 jobs enqueued\n', stderr: '' });
  assert.equal((await queue.json('status')).pending, 20_000);
  const newest = await queue.run(['list', '--limit', '1', '--json']);
  assert.equal(JSON.parse(newest.stdout)[0].id, 'job19999');
  assert.match(newest.stderr, /showing 1 of 20,000; show all with --limit 0/);
});

test('every line of a long input is stored, however long the queue takes to open', async (t) => {
  const queue = newQueue(t);
  const { stdout } = await queue.run(['enqueue', '-', '--lines'], { input: 'true\n'.repeat(20_000) });
  assert.equal(stdout, '20,000 jobs enqueued\n');
});
