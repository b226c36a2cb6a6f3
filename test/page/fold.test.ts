import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphNode } from '../../page/core/types.ts';
import { countsOf, fold } from '../../page/screens/graph/fold.ts';

const node = (id: string, state: GraphNode['state'] = 'pending'): GraphNode => ({
  id,
  name: null,
  state,
  command: 'true',
  counts: null,
});

/** A fan-out followed by a fan-in. */
function diamond(width: number) {
  const middle = Array.from({ length: width }, (_, i) => node(`m${i}`, i === 0 ? 'dead' : 'completed'));
  const edges = middle.flatMap(({ id }) => [
    { parent: 'first', child: id, rule: 'success' },
    { parent: id, child: 'last', rule: 'success' },
  ]);
  return { nodes: [node('first'), ...middle, node('last')], edges };
}

test('many jobs with the same dependencies and dependents share a node', () => {
  const { nodes, edges } = fold(diamond(998), true);
  assert.deepEqual(nodes.map(({ members }) => members.length).sort(), [1, 1, 998]);
  assert.equal(edges.length, 2);
  const many = nodes.find(({ members }) => members.length > 1);
  assert.deepEqual(
    [...countsOf(many?.members ?? [])],
    [
      ['dead', 1],
      ['completed', 997],
    ],
  );
});

test('few similar jobs stay separate, and so do all jobs if grouping is off', () => {
  assert.equal(fold(diamond(3), true).nodes.length, 5);
  const whole = fold(diamond(998), false);
  assert.deepEqual([whole.nodes.length, whole.edges.length], [1000, 1996]);
});
