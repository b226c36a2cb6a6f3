// Output that goes elsewhere: pipes that close, pipes that are slow, no colours, nothing cut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue } from './support.ts';

const ESCAPE = '\u001b';

test('a command stops silently when its reader closes the pipe', async (t) => {
  const queue = newQueue(t);
  await queue.run(['enqueue', '-', '--lines'], {
    input: 'echo 0123456789012345678901234567890123456789\n'.repeat(5000),
  });
  for (const line of ['list --limit 0', 'list --limit 0 --json', '--help', 'config list', 'status']) {
    const { stdout, stderr } = await queue.sh(`queuectl ${line} | head -1`);
    assert.equal(stderr, '', line);
    assert.equal(stdout.split('\n').length, 2, line);
  }
});

test('a command stops silently when its reader left before the first line', async (t) => {
  const queue = newQueue(t);
  await queue.finished('--id', 'a', 'echo hi');
  const afterIt = 'until [ -e gone ]; do sleep 0.01; done';
  for (const line of ['list', 'logs a', 'show a', 'status --json', '--help']) {
    const writer = `{ ${afterIt}; queuectl ${line}; echo "code $?" >&2; }`;
    const { stderr } = await queue.sh(`rm -f gone; ${writer} | { exec <&-; touch gone; }`);
    assert.match(stderr, /^code \d+\n$/, line);
  }
});

test('a slow reader receives everything', async (t) => {
  const queue = newQueue(t);
  await queue.run(['enqueue', '-', '--lines'], { input: `echo ${'x'.repeat(200)}\n`.repeat(400) });
  const byteByByte = 'while IFS= read -r line; do printf "%s\\n" "$line"; done';
  const { stdout } = await queue.sh(`queuectl list --limit 0 --json | ${byteByByte}`);
  assert.equal(JSON.parse(stdout).length, 400);
});

test('piped output has no colours and is not cut', async (t) => {
  const queue = newQueue(t);
  const long = `echo ${'word '.repeat(100)}end`;
  await queue.finished('--id', 'a', long);
  await queue.finished('--id', 'b', 'false');
  const env = { COLUMNS: '40', TERM: 'xterm-256color' };
  for (const line of [
    ['list'],
    ['show', 'a'],
    ['status'],
    ['dlq', 'list'],
    ['metrics'],
    ['doctor'],
    ['config', 'list'],
    ['--help'],
  ]) {
    const { stdout, stderr } = await queue.run(line, { env });
    assert.ok(!`${stdout}${stderr}`.includes(ESCAPE), line.join(' '));
    assert.ok(!stdout.includes('…'), line.join(' '));
  }
  assert.ok((await queue.text('list')).includes(long));
});

test('control characters in a command cannot change the screen', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueue(`echo '${ESCAPE}[31mred${ESCAPE}[0m'\u0007\n\r\u202e`);
  for (const text of [await queue.text('list'), await queue.text('show', id)]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  }
});

test('output that cannot be written is reported as an error', async (t) => {
  const queue = newQueue(t);
  const { code, stderr } = await queue.sh('queuectl --help > /dev/full');
  assert.equal(code, 1);
  assert.match(stderr, /^error: .*no space left/);
  assert.doesNotMatch(stderr, /something went wrong inside/);
});

test('errors, hints and warnings go to stderr, results to stdout', async (t) => {
  const queue = newQueue(t);
  const { stdout } = await queue.sh('queuectl enqueue --print-id true 2>/dev/null');
  assert.match(stdout, /^\S+\n$/);
  assert.equal((await queue.sh('queuectl show nope 2>/dev/null')).stdout, '');
  assert.equal((await queue.sh('queuectl list --limit 0 | wc -l')).stdout.trim(), '2');
});
