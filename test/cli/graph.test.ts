// queuectl graph: what jobs wait for, drawn from what is in the queue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const FLOW = `
group: nightly
defaults: {max_retries: 0}
jobs:
  extract: "true"
  clean: {command: "true", after: extract}
  check: {command: "false", after: extract}
  load: {command: "true", after: [clean, check]}
  alarm: {command: "true", after_failure: check}
`;

async function flowQueue(t: Parameters<typeof newQueue>[0]): Promise<TestQueue> {
  const queue = newQueue(t);
  queue.write('flow.yaml', FLOW);
  await queue.text('enqueue', '--file', 'flow.yaml');
  return queue;
}

/** The drawing and the names, without ids and commands. */
const drawing = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/(blocked|pending|completed|dead|cancelled).*/, '$1'));

test('a workflow is drawn from any of its jobs and from its group', async (t) => {
  const queue = await flowQueue(t);
  const text = await queue.text('graph', 'group:nightly');
  assert.deepEqual(drawing(text), [
    '○        extract  pending',
    '├─◌      clean    blocked',
    '╰─│─◌    check    blocked',
    '  ╰─┼─◌  load     blocked',
    '    ╰─◌  alarm    blocked',
  ]);
  for (const name of ['extract', 'load', 'alarm']) assert.equal(await queue.text('graph', name), text);
  assert.match(text, /alarm +blocked +\S+ +after failure of check/);
});

test('states are shown by word and shape', async (t) => {
  const queue = await flowQueue(t);
  await queue.run(['worker', 'run', '--drain']);
  const text = await queue.text('graph', 'extract');
  assert.match(text, /✓ +extract +completed/);
  assert.match(text, /✗.* check +dead/);
  assert.match(text, /⊘.* load +cancelled/);
  assert.match(text, /✓.* alarm +completed/);
});

test('a job that depends on a group is drawn after it, and a large group is folded', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--array', '0-99', '--group', 'fan', 'true');
  await queue.prepare('enqueue', '--name', 'after-fan', '--after', 'group:fan', 'true');
  const lines = (await queue.text('graph', 'group:fan')).trimEnd().split('\n');
  assert.ok(lines.length < 10, lines.join('\n'));
  assert.match(lines.join('\n'), /… +96 more +96 pending/);
  assert.match(lines.join('\n'), /▣ +group:fan +100 pending/);
  assert.match(lines.join('\n'), /◌ +after-fan +blocked/);
  const fromOne = await queue.text('graph', 'after-fan');
  assert.match(fromOne, /group:fan +100 pending/);
});

test('--json, --mermaid and --dot contain the same jobs and edges', async (t) => {
  const queue = await flowQueue(t);
  const { nodes, edges, left_out } = await queue.json<{
    nodes: Document[];
    edges: Document[];
    left_out: number;
  }>('graph', 'load');
  assert.deepEqual([nodes.length, edges.length, left_out], [5, 5, 0]);
  assert.equal((await queue.text('graph', 'load', '--mermaid')).match(/-->/g)?.length, 5);
  assert.equal((await queue.text('graph', 'load', '--dot')).match(/ -> /g)?.length, 5);
});

test('a deleted parent is still drawn with its result', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--id', 'parent', 'true');
  await queue.prepare('enqueue', '--id', 'child', '--after', 'parent', 'true');
  await queue.run(['worker', 'run', '--drain']);
  await queue.prepare('delete', 'parent');
  assert.match(await queue.text('graph', 'child'), /✓ +parent +completed/);
});

test('a job without dependencies is drawn by itself', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueue('true');
  assert.match(await queue.text('graph', id), new RegExp(`^○ +${id} +pending`));
});

test('on a terminal the graph is at most as wide as the terminal', async (t) => {
  const queue = await flowQueue(t);
  const { stdout } = await queue.onTerminal(60, 'NO_COLOR=1 queuectl graph group:nightly');
  for (const line of stdout.split(/\r?\n/)) assert.ok([...line].length <= 60, line);
});

test('an unknown job or group is rejected', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(3, ['graph', 'nowhere']), /job 'nowhere' not found/);
  assert.match(await queue.rejected(3, ['graph', 'group:nowhere']), /group 'nowhere' not found/);
  assert.match(await queue.rejected(2, ['graph']), /missing JOB/);
  assert.match(await queue.rejected(2, ['graph', 'a', '--dot', '--mermaid']), /--mermaid and --dot cannot be combined/);
});

test('every edge between drawn jobs is drawn, and jobs beyond 5,000 edges are counted', async (t) => {
  const queue = newQueue(t);
  type Graph = { nodes: Document[]; edges: Document[]; left_out: number };
  const [roots, leaves] = [ids('root', 60), ids('leaf', 100)];
  await enqueueAll(
    queue,
    roots.map((id) => ({ id, command: 'true' })),
  );
  await enqueueAll(
    queue,
    leaves.map((id) => ({ id, command: 'true', depends_on: roots })),
  );
  const dense = await queue.json<Graph>('graph', 'root0');
  assert.deepEqual([dense.nodes.length, dense.edges.length, dense.left_out], [160, 6000, 0]);

  await queue.prepare('enqueue', '--id', 'star', 'true');
  await enqueueAll(
    queue,
    ids('ray', 6000).map((id) => ({ id, command: 'true', depends_on: ['star'] })),
  );
  const star = await queue.json<Graph>('graph', 'star');
  assert.deepEqual([star.nodes.length, star.edges.length, star.left_out], [1000, 999, 5001]);
});

const ids = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`);

const enqueueAll = (queue: TestQueue, jobs: readonly object[]): Promise<unknown> =>
  queue.text('enqueue', '--file', queue.write('jobs.ndjson', jobs.map((job) => JSON.stringify(job)).join('\n')));
