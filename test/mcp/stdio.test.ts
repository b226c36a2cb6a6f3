// The two ends of the pipe: what is not the protocol does no harm, and nothing is left when an end is closed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue } from '../cli/support.ts';
import { until } from '../support/until.ts';

const message = (id: number, method: string, params: unknown = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const HELLO = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

test('it stops when stdin is closed, and stdout contains only the protocol', async (t) => {
  const queue = newQueue(t);
  const garbage = ['', 'hello', '{', '[]', 'null', '{"jsonrpc":"1.0"}', '\u0000\u001b[31m', '"x"'].join('\n');
  const { code, stdout } = await queue.run(['mcp'], { input: `${garbage}\n${HELLO}${garbage}\n` });
  assert.equal(code, 0);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  assert.ok(lines.every(({ jsonrpc }) => jsonrpc === '2.0'));
  assert.equal(lines.find(({ id }) => id === 1)?.result.serverInfo.name, 'queuectl');
});

test('a signal stops it, and so does a closed stdout', async (t) => {
  const queue = newQueue(t);
  await queue.text('init');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const { code } = await queue.sh(
      `mkfifo to-${signal}; queuectl mcp < to-${signal} > out-${signal} & pid=$!; exec 3> to-${signal}; ` +
        `echo '${HELLO.trim()}' >&3; while [ ! -s out-${signal} ]; do sleep 0.02; done; kill -${signal.slice(3)} $pid; wait $pid`,
    );
    assert.equal(code, 0, signal);
  }
  const { code } = await queue.sh(
    `mkfifo to; (queuectl mcp < to; echo $? > code) | true & exec 3> to; echo '${HELLO.trim()}' >&3; wait`,
  );
  assert.equal(code, 0);
  await until('it has ended', () => queue.files().includes('code'));
});
